/** The fake keeps the port's contract, so that what is built on it holds on real terminals. */
import { type Behaviour, type PtyHarness, testPtyContract } from "../contracts/pty.ts";
import { createFakePty, type FakeProgram } from "./pty.ts";

const harness: PtyHarness = {
  folder: "/project",
  env: {},
  create() {
    const pty = createFakePty();
    pty.install("play", (program) => play(program, JSON.parse(program.argv[1] ?? "")));
    return pty;
  },
  killed: { kind: "signalled", signal: 9 },
  argv: (behaviour) => ["play", JSON.stringify(behaviour)],
};

function play(program: FakeProgram, behaviour: Behaviour): void {
  switch (behaviour.kind) {
    case "exits":
      return program.exit(behaviour.code);
    case "dies":
      return program.die(behaviour.signal);
    case "prints":
      program.emit(behaviour.text);
      return program.exit(behaviour.code);
    case "floods":
      for (let left = behaviour.bytes; left > 0; left -= 65_536) program.emit("x".repeat(Math.min(left, 65_536)));
      return program.exit(0);
    case "echoes": {
      let left = behaviour.bytes;
      program.emit("ready");
      return program.onInput((bytes) => {
        program.emit(bytes);
        left -= bytes.length;
        if (left <= 0) program.exit(0);
      });
    }
    case "reportsSize": {
      const report = () => program.emit(`${program.size().rows} ${program.size().cols}\n`);
      report();
      return program.onResize(report);
    }
    case "ignoresHangUp":
      program.onHangUp(() => {});
      return program.emit("ready");
    case "handlesHangUp":
      program.onHangUp(() => program.exit(behaviour.code));
      return program.emit("ready");
    case "neverReads":
      program.setReading(false);
      return program.emit("ready");
  }
}

testPtyContract("fake", harness);
