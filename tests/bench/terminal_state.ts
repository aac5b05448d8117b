/**
 * Our terminal state against a headless xterm.js with its serialize addon, fed the same output, alternating in one run:
 * writing, memory, the time until a window that attaches shows the screen, and until it has all lines. Each measurement
 * has a process of its own. Goals: quality table, P4 (memory) and P5 (re-attach). Usage: deno task bench:terminal_state
 * [ROUNDS]
 */
import process from "node:process";
import xterm from "@xterm/headless";
import { SerializeAddon } from "@xterm/addon-serialize";
import { createTerminalStates } from "../../adapters/terminal_state/mod.ts";
import type { SnapshotPart } from "../../core/ports/terminal_state.ts";
import { createRandom } from "../helpers/random.ts";
import { createReference } from "../helpers/terminal_screen.ts";
import { colouredLines, colouredLog } from "./coloured_log.ts";
import { median, printRow, verdict } from "./figures.ts";

const SIZE = { cols: 120, rows: 40 };
const SCROLLBACK = 10_000;
const MB = 1_000_000;
const PIECE_BYTES = 64 * 1024;
const WARM_UP_BYTES = 2 * MB;
const BACKLOG_BYTES = MB;

const encoder = new TextEncoder();

/** What a program like htop draws again and again. */
function frames(bytes: number): string {
  const random = createRandom(7);
  const frame = () =>
    "\x1b[H" + Array.from({ length: SIZE.rows }, (_, row) => {
      const load = random.int(100);
      return `\x1b[${row + 1};1H\x1b[38;5;${random.int(256)}m${String(random.int(99999)).padStart(7)} \x1b[1m${
        "|".repeat(load / 2)
      }\x1b[m ${load}%\x1b[K`;
    }).join("");
  const some = Array.from({ length: 40 }, frame).join("");
  return some.repeat(Math.ceil(bytes / some.length));
}

const crlf = (text: string) => text.replaceAll("\n", "\r\n");

const ROWS: Readonly<Record<string, () => string>> = {
  "coloured log": () => crlf(colouredLog(12 * MB)),
  "short lines": () => "12345678\r\n".repeat(0.5 * MB),
  "full-screen program": () => `\x1b[?1049h${frames(8 * MB)}`,
  "alternate screen flood": () => `${crlf(colouredLines(SCROLLBACK))}\x1b[?1049h${frames(8 * MB)}`,
};

interface Side extends Disposable {
  write(bytes: Uint8Array): Promise<void>;
  /** Everything written has been taken in. */
  finish(): Promise<void>;
  /** What a window gets: for its screen alone, or for all lines. */
  snapshot(all: boolean): Promise<readonly SnapshotPart[]>;
}

function ours(): Side {
  const state = createTerminalStates().create({ size: SIZE, scrollback: SCROLLBACK, answer() {}, onSignal() {} });
  return {
    async write(bytes) {
      state.write(bytes);
      if (state.backlogBytes() > BACKLOG_BYTES) await state.digested();
    },
    finish: () => state.digested(),
    snapshot: async (all) => (await state.snapshot(all ? Infinity : 0)).parts,
    [Symbol.dispose]: () => state[Symbol.dispose](),
  };
}

function peer(): Side {
  const terminal = new xterm.Terminal({ ...SIZE, scrollback: SCROLLBACK, allowProposedApi: true, logLevel: "off" });
  const serializer = new SerializeAddon();
  terminal.loadAddon(serializer);
  let waiting = 0;
  const finish = () => new Promise<void>((resolve) => terminal.write("", resolve));
  return {
    async write(bytes) {
      terminal.write(bytes);
      waiting += bytes.length;
      if (waiting < BACKLOG_BYTES) return;
      waiting = 0;
      await finish();
    },
    finish,
    // It knows no screen alone: its window waits for all lines.
    snapshot: () =>
      Promise.resolve([{ kind: "bytes", bytes: encoder.encode(serializer.serialize({ scrollback: SCROLLBACK })) }]),
    [Symbol.dispose]: () => terminal.dispose(),
  };
}

interface Figures {
  readonly megabytesPerSecond: number;
  readonly cpuSecondsPer100Mb: number;
  readonly megabytes: number;
  readonly screenMs: number;
  readonly allMs: number;
}

async function feed(side: Side, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) await side.write(bytes.subarray(at, at + PIECE_BYTES));
  await side.finish();
}

/** The time from asking until a fresh terminal has played it. */
async function attach(side: Side, all: boolean): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 4; round++) {
    using fresh = createReference(SIZE, SCROLLBACK);
    const began = performance.now();
    fresh.play(await side.snapshot(all));
    // The first warms up.
    if (round > 0) times.push(performance.now() - began);
  }
  return median(times);
}

function keptMegabytes(): number {
  const collect: unknown = Reflect.get(globalThis, "gc");
  if (typeof collect === "function") { for (let round = 0; round < 3; round++) collect(); }
  const { heapUsed, external } = Deno.memoryUsage();
  return (heapUsed + external) / MB;
}

/** In a process of its own. */
async function measure(create: () => Side, row: string): Promise<Figures> {
  const bytes = encoder.encode(ROWS[row]?.() ?? "");
  {
    using warm = create();
    await feed(warm, bytes.subarray(0, WARM_UP_BYTES));
    await attach(warm, true);
  }
  const before = keptMegabytes();
  using side = create();
  const cpu = process.cpuUsage();
  const began = performance.now();
  await feed(side, bytes);
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const megabytes = keptMegabytes() - before;
  return {
    megabytesPerSecond: bytes.length / MB / seconds,
    cpuSecondsPer100Mb: (user + system) / 1e6 / (bytes.length / (100 * MB)),
    megabytes,
    screenMs: await attach(side, false),
    allMs: await attach(side, true),
  };
}

function isFigures(value: unknown): value is Figures {
  return typeof value === "object" && value !== null && "megabytesPerSecond" in value;
}

async function inProcess(side: "ours" | "peer", row: string): Promise<Figures> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--v8-flags=--expose-gc", import.meta.filename ?? "", "measure", side, row],
    stderr: "inherit",
  }).output();
  const figures: unknown = JSON.parse(new TextDecoder().decode(stdout));
  if (!isFigures(figures)) throw new Error("no figures");
  return figures;
}

const COLUMNS: readonly { readonly name: keyof Figures; readonly title: string; readonly goal?: number }[] = [
  { name: "megabytesPerSecond", title: "write, MB/s" },
  { name: "cpuSecondsPer100Mb", title: "CPU s / 100 MB" },
  { name: "megabytes", title: "memory, MB", goal: 0.6 },
  { name: "screenMs", title: "screen shown, ms", goal: 0.1 },
  { name: "allMs", title: "all lines, ms" },
];

async function main(rounds: number): Promise<void> {
  const [load = 0] = Deno.loadavg();
  console.log(`medians of ${rounds} rounds, load ${load.toFixed(1)} on ${navigator.hardwareConcurrency} cores\n`);
  for (const row of Object.keys(ROWS)) {
    const sides: { ours: Figures[]; peer: Figures[] } = { ours: [], peer: [] };
    for (let round = 0; round < rounds; round++) {
      sides.ours.push(await inProcess("ours", row));
      sides.peer.push(await inProcess("peer", row));
    }
    printRow(row, "ours", "headless", "ratio", "goal", "");
    for (const { name, title, goal } of COLUMNS) {
      const our = median(sides.ours.map((figures) => figures[name]));
      const their = median(sides.peer.map((figures) => figures[name]));
      // Of each round, whose halves were close in time: others use the machine too.
      const ratio = median(sides.ours.map((figures, round) => figures[name] / (sides.peer[round]?.[name] ?? NaN)));
      const target = goal === undefined ? ["", ""] : [`<= ${goal}`, verdict(ratio <= goal)];
      printRow(`  ${title}`, our.toFixed(2), their.toFixed(2), `x${ratio.toFixed(2)}`, ...target);
    }
    console.log("");
  }
}

const [task, side, row] = Deno.args;
if (task === "measure") console.log(JSON.stringify(await measure(side === "ours" ? ours : peer, row ?? "")));
else await main(Number(task ?? 3));
