/**
 * From the program to the cells of a page, with the real state of the terminal in between: whenever a page attaches,
 * however it hides, breaks off and comes back, it draws what one draws that has seen all output from the start.
 */
import assert from "node:assert/strict";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import xterm from "@xterm/headless";
import { createTerminalStates } from "../../adapters/terminal_state/mod.ts";
import { fixXterm } from "../../core/terminals/xterm_fixes.ts";
import { createTerminalConnection } from "../../web/ui/terminal/connection.ts";
import { createDrawing } from "../../web/ui/terminal/drawing.ts";
import type { TerminalStream } from "../../web/ui/terminal/stream.ts";
import { projectId, settle } from "../core/terminals_setup.ts";
import { createRandom, type Random } from "../helpers/random.ts";
import { createReference, dumpTerminal } from "../helpers/terminal_screen.ts";
import { randomStream, type StreamKind } from "../helpers/terminal_stream.ts";
import { createSocketPair, type SocketPair } from "./socket_pair.ts";
import { setup as setupServer } from "./socket_setup.ts";

const kinds: readonly StreamKind[] = ["calm", "screen", "wild"];
const SCROLLBACK = 10_000;
const size = { cols: 60, rows: 15 };

/** A page without a browser: its connection, and a terminal that draws into memory. */
function createPage(parts: ReturnType<typeof setupServer>, sessionId: Parameters<typeof parts.terminals.get>[0]) {
  const terminal = new xterm.Terminal({ ...size, scrollback: SCROLLBACK, allowProposedApi: true, logLevel: "off" });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  fixXterm(terminal);
  // As in the reference: a link outlives the line it began in.
  const links: unknown = Reflect.get(Reflect.get(terminal, "_core"), "_oscLinkService");
  if (typeof links === "object" && links !== null) Reflect.set(links, "_removeMarkerFromLink", () => {});
  const pairs: SocketPair[] = [];
  const connection = createTerminalConnection({
    url: "ws://server/api/socket",
    timers: parts.clock,
    openSocket(url) {
      const pair = createSocketPair();
      pairs.push(pair);
      parts.handler.handle(pair.server, { viewerId: new URL(url).searchParams.get("viewer") ?? "" });
      return pair.page;
    },
  });
  const drawing = createDrawing(terminal, {
    onSize: () => {},
    acknowledge: (bytes) => stream.acknowledge(bytes),
    onHistoryMissing: () => stream.requestHistory(),
  });
  const stream: TerminalStream = connection.attach({ sessionId, visible: true, focused: false }, {
    ...drawing.handlers,
    onExit: () => {},
    onClosed: () => {},
  });
  return {
    terminal,
    stream,
    cut: () => pairs.at(-1)?.cut(),
    /** Delivers and draws what there is; more may come of it. */
    async turn(messages = Infinity) {
      pairs.at(-1)?.open();
      pairs.at(-1)?.deliver(messages);
      await settle();
      await new Promise<void>((resolve) => terminal.write("", resolve));
    },
    [Symbol.dispose]() {
      connection[Symbol.dispose]();
      terminal.dispose();
    },
  };
}

Deno.test("a page that attaches, hides, breaks off and returns at any moment draws every cell as it should be", async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = createRandom(seed);
    const parts = setupServer({ states: createTerminalStates() });
    const opened = await parts.terminals.open({ projectId, cwd: "/", size, argv: ["program"] });
    assert.ok(opened.ok);
    const { sessionId } = opened.value;
    const [program] = parts.pty.programs;
    assert.ok(program !== undefined);
    using reference = createReference(size, SCROLLBACK);
    const output = (bytes: Uint8Array) => {
      reference.write(bytes);
      program.output(bytes);
    };
    const bytes = randomOutput(random);
    const before = random.int(bytes.length);
    output(bytes.subarray(0, before));
    using page = createPage(parts, sessionId);
    for (let at = before; at < bytes.length;) {
      switch (random.int(8)) {
        case 0:
          await page.turn();
          break;
        case 1:
          await page.turn(1 + random.int(6));
          break;
        case 2:
          if (random.int(3) === 0) page.cut();
          parts.clock.advance(5_000);
          break;
        case 3:
          page.stream.setVisible(random.int(2) === 0);
          break;
        case 4: {
          const next = { cols: 10 + random.int(90), rows: 2 + random.int(30) };
          reference.resize(next);
          parts.terminals.resize(sessionId, next);
          // A program that is told of a size writes something. Sizes that follow each other without output are not all
          // played to a page that was away; the last one is.
          if (!program.paused()) output(bytes.subarray(at, ++at));
          break;
        }
        default: {
          const chunk = bytes.subarray(at, at + 1 + random.int(700));
          if (!program.paused()) {
            output(chunk);
            at += chunk.length;
          } else await page.turn();
        }
      }
    }
    page.stream.setVisible(true);
    for (let turn = 0; turn < 12; turn++) {
      parts.clock.advance(1_000);
      await page.turn();
    }
    assert.deepEqual(withoutTitle(dumpTerminal(page.terminal)), withoutTitle(reference.dump()), `seed ${seed}`);
    assert.deepEqual(parts.defects, []);
    await parts.terminals[Symbol.asyncDispose]();
  }
});

function randomOutput(random: Random): Uint8Array {
  const parts = Array.from({ length: 3 }, () => {
    const kind = random.pick(kinds);
    return randomStream(random, { kind, count: 20 + random.int(100), size }).join("");
  });
  return new TextEncoder().encode(parts.join(""));
}

/** The page shows the title that the server tells it. */
function withoutTitle(dump: readonly string[]): readonly string[] {
  return dump.filter((line) => !line.startsWith("title "));
}
