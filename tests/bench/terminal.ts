/**
 * Terminals end to end, from the program to a client of the socket: the product as it is served, its state on, against
 * Node with node-pty and ws ("raw peer") and the same with 5 ms of buffering and a headless terminal ("state peer").
 * All run at once and are measured in turns. Goals: quality table, P1 to P5.
 *
 * Usage: deno task bench:terminal [--quick] [ROUNDS] [stream|memory|idle ...]
 */
import { colouredLines, colouredLog, shownBytes } from "./coloured_log.ts";
import { median, printRow, quantile, verdict } from "./figures.ts";
import { type BenchServer, prepareTools, type ServerName, startBenchServer, type Tools } from "./terminal_servers.ts";
import { waitFor } from "../helpers/wait_for.ts";

const QUICK = { rounds: 1, logBytes: 20_000_000, keys: 150, memorySessions: [20], idleSessions: 20, idleMs: 3_000 };
const FULL = { rounds: 5, logBytes: 1e8, keys: 500, memorySessions: [20, 200], idleSessions: 200, idleMs: 10_000 };
const NAMES = ["ours", "raw peer", "state peer"] as const;
const FLOODS = [0, 1, 8];
const KEY_GAP_US = 2_000;
const SCROLLBACK_LINES = 10_000;
/** What a machine must have left for a session of the state peer. */
const BYTES_A_SESSION = 40e6;
const SETTLED_MS = 2_000;

/** Waits for the client's newline, so that nothing is printed before it looks. */
const whenAsked = (script: string) => ["sh", "-c", `stty -echo; read -r asked; ${script}`] as const;
const ECHO = ["sh", "-c", "stty raw -echo; printf r; exec cat"] as const;
const FLOOD = whenAsked("exec yes 'the quick brown fox jumps over the lazy dog'");

interface Bench extends Readonly<typeof FULL> {
  readonly tools: Tools;
  readonly log: string;
  readonly logShownBytes: number;
  readonly lines: string;
  readonly linesShownBytes: number;
  readonly folder: string;
}

interface Round {
  readonly megabytesPerSecond: number;
  readonly cpuSecondsPer100Mb: number;
  readonly lostBytes: number;
  /** Microseconds of each key, by number of floods. */
  readonly echoUs: ReadonlyMap<number, readonly number[]>;
  readonly screenMs: number;
  readonly allLinesMs: number;
}

const PARTS = ["stream", "memory", "idle"] as const;

/** Without a part named, all are. */
const isWanted = (part: typeof PARTS[number]) =>
  Deno.args.includes(part) || !PARTS.some((other) => Deno.args.includes(other));

async function main(): Promise<void> {
  const amounts = Deno.args.includes("--quick") ? QUICK : FULL;
  const rounds = Number(Deno.args.find((argument) => /^\d+$/.test(argument)) ?? amounts.rounds);
  const folder = await Deno.makeTempDir({ prefix: "idea-bench-" });
  try {
    const tools = await prepareTools(folder);
    if (typeof tools === "string") return console.log(`skipped: ${tools}`);
    const [log, lines] = [colouredLog(amounts.logBytes), colouredLines(SCROLLBACK_LINES)];
    await Deno.writeTextFile(`${folder}/log`, log);
    await Deno.writeTextFile(`${folder}/lines`, lines);
    const bench: Bench = {
      ...{ ...amounts, rounds, tools, folder, log: `${folder}/log`, lines: `${folder}/lines` },
      ...{ logShownBytes: shownBytes(log), linesShownBytes: shownBytes(lines) },
    };
    console.log(
      `load ${Deno.loadavg().map((load) => load.toFixed(1)).join(" ")} on ${navigator.hardwareConcurrency} cores`,
    );
    printRow("", ...NAMES, "ratio", "goal", "verdict");
    if (isWanted("stream")) printRounds(await measureRounds(bench));
    if (isWanted("memory")) { for (const sessions of bench.memorySessions) await measureMemory(bench, sessions); }
    if (isWanted("idle")) await measureIdle(bench);
    console.log(`load ${Deno.loadavg().map((load) => load.toFixed(1)).join(" ")}; ${rounds} rounds`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function measureRounds(bench: Bench): Promise<ReadonlyMap<ServerName, readonly Round[]>> {
  await using stack = new AsyncDisposableStack();
  const servers: BenchServer[] = [];
  for (const name of NAMES) servers.push(stack.use(await startBenchServer(name, bench.tools)));
  // Code is compiled before it is measured.
  for (const server of servers) await measureAttach(server, bench);
  const measured = new Map<ServerName, Round[]>(NAMES.map((name) => [name, []]));
  for (let round = 0; round < bench.rounds; round++) {
    // Measure by measure, so that what is compared was close in time: others use the machine too.
    const flows = await inTurns(servers, (server) => measureThroughput(server, bench));
    const echoes = new Map<number, readonly (readonly number[])[]>();
    for (const floods of FLOODS) {
      echoes.set(floods, await inTurns(servers, (server) => measureEcho(server, bench.keys, floods)));
    }
    const attaches = await inTurns(servers, (server) => measureAttach(server, bench));
    for (const [index, { name }] of servers.entries()) {
      const [flow, attach] = [flows[index], attaches[index]];
      if (flow === undefined || attach === undefined) continue;
      const echoUs = new Map([...echoes].map(([floods, of]) => [floods, of[index] ?? []]));
      measured.get(name)?.push({ ...flow, ...attach, echoUs });
    }
  }
  return measured;
}

async function inTurns<T>(servers: readonly BenchServer[], measure: (server: BenchServer) => Promise<T>): Promise<T[]> {
  const figures: T[] = [];
  for (const server of servers) figures.push(await measure(server));
  return figures;
}

async function measureThroughput(server: BenchServer, bench: Bench) {
  const sessionId = await server.open(whenAsked(`exec cat ${bench.log}`));
  const cpuBefore = await server.cpuSeconds();
  const said = await server.client("throughput", sessionId, bench.logShownBytes);
  const cpuSeconds = await server.cpuSeconds() - cpuBefore;
  await server.close(sessionId);
  const { bytes, seconds }: { readonly bytes: number; readonly seconds: number } = JSON.parse(said);
  return {
    megabytesPerSecond: bytes / 1e6 / seconds,
    cpuSecondsPer100Mb: cpuSeconds / (bytes / 1e8),
    lostBytes: bench.logShownBytes - bytes,
  };
}

async function measureEcho(server: BenchServer, keys: number, floods: number): Promise<readonly number[]> {
  const sessionId = await server.open(ECHO);
  const flooding: string[] = [];
  for (let count = 0; count < floods; count++) flooding.push(await server.open(FLOOD));
  const said = await server.client("echo", sessionId, keys, KEY_GAP_US, ...flooding);
  for (const opened of [sessionId, ...flooding]) await server.close(opened);
  const { us }: { readonly us: readonly number[] } = JSON.parse(said);
  return us;
}

/** As after a reload of the page: the lines were shown to a client that is gone. Without state there is no way back. */
async function measureAttach(server: BenchServer, bench: Bench) {
  if (server.name === "raw peer") return { screenMs: NaN, allLinesMs: NaN };
  const sessionId = await server.open(whenAsked(`cat ${bench.lines}; exec sleep 1000`));
  await server.client("throughput", sessionId, bench.linesShownBytes);
  const said = await server.client("attach", sessionId);
  await server.close(sessionId);
  const attached: { readonly screenMs: number; readonly allLinesMs: number } = JSON.parse(said);
  return attached;
}

async function measureMemory(bench: Bench, sessions: number): Promise<void> {
  const name = `MB a session, ${sessions} sessions`;
  if (Deno.systemMemoryInfo().available < sessions * BYTES_A_SESSION) {
    return printRow(name, "skipped: too little memory");
  }
  const ours = await memoryOf("ours", bench, sessions);
  const peer = await memoryOf("state peer", bench, sessions);
  printRow(name, (ours / 1e6).toFixed(2), "", (peer / 1e6).toFixed(2), ...judge(ours / peer, "<=", 0.6));
}

async function memoryOf(name: ServerName, bench: Bench, sessions: number): Promise<number> {
  await using server = await startBenchServer(name, bench.tools);
  const before = await server.residentBytes();
  await openWithLines(server, bench, sessions);
  return (await server.residentBytes() - before) / sessions;
}

/** Sessions that have printed their lines and sleep; what they printed is in the server. */
async function openWithLines(server: BenchServer, bench: Bench, sessions: number): Promise<readonly string[]> {
  const folder = await Deno.makeTempDir({ dir: bench.folder });
  const ids: string[] = [];
  for (let number = 0; number < sessions; number++) {
    ids.push(await server.open(["sh", "-c", `cat ${bench.lines}; : > ${folder}/${number}; exec sleep 1000`]));
  }
  await waitFor("all lines are printed", () => [...Deno.readDirSync(folder)].length === sessions, 300_000);
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  return ids;
}

async function measureIdle(bench: Bench): Promise<void> {
  await using server = await startBenchServer("ours", bench.tools);
  const ids = await openWithLines(server, bench, bench.idleSessions);
  const shown = server.client("hold", bench.idleMs + 2 * SETTLED_MS, ...ids);
  await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
  const before = await server.cpuSeconds();
  await new Promise((resolve) => setTimeout(resolve, bench.idleMs));
  const percent = (await server.cpuSeconds() - before) / bench.idleMs * 1e5;
  await shown;
  const cells = [percent.toFixed(2), "", "", "", "< 1", verdict(percent < 1)];
  printRow(`idle CPU %, ${bench.idleSessions} shown`, ...cells);
}

function printRounds(measured: ReadonlyMap<ServerName, readonly Round[]>): void {
  const of = (name: ServerName, figure: (round: Round) => number) => (measured.get(name) ?? []).map(figure);
  /** A row for each goal; a ratio is that of each round, whose parts were close in time. */
  const print = (name: string, figure: (round: Round) => number, { goals = [], digits = 2 }: RowOptions = {}) => {
    const cells = NAMES.map((server) => {
      const middle = median(of(server, figure));
      return Number.isNaN(middle) ? "" : middle.toFixed(digits);
    });
    if (goals.length === 0) printRow(name, ...cells);
    for (const [index, { against, sign, bound }] of goals.entries()) {
      const theirs = of(against, figure);
      const ratio = median(of("ours", figure).map((mine, round) => mine / (theirs[round] ?? NaN)));
      printRow(
        index === 0 ? name : `  against the ${against}`,
        ...index === 0 ? cells : ["", "", ""],
        ...judge(ratio, sign, bound),
      );
    }
  };
  print("log, MB/s", (round) => round.megabytesPerSecond, { goals: goals(">=", 1, 4), digits: 1 });
  print("CPU s / 100 MB", (round) => round.cpuSecondsPer100Mb, { goals: goals("<=", 0.9, 0.4) });
  print("lost bytes", (round) => round.lostBytes, { digits: 0 });
  const echo = (floods: number, share: number) => (round: Round) => quantile(round.echoUs.get(floods) ?? [], share);
  print("echo p50, us", echo(0, 0.5), { goals: goals("<=", 1.1, 0.1), digits: 0 });
  print("echo p99, us", echo(0, 0.99), { digits: 0 });
  print("echo p50 in a flood, us", echo(1, 0.5), { goals: goals("<=", 1, 0.1), digits: 0 });
  print("echo p99 in a flood, us", echo(1, 0.99), { digits: 0 });
  print("echo p50 in 8 floods, us", echo(8, 0.5), { digits: 0 });
  print("echo p99 in 8 floods, us", echo(8, 0.99), { digits: 0 });
  const [idle, flooded] = [of("ours", echo(0, 0.99)), of("ours", echo(8, 0.99))];
  const growth = median(flooded.map((us, round) => us / (idle[round] ?? NaN)));
  printRow("  against our own idle p99", "", "", "", ...judge(growth, "<=", 2));
  print("re-attach to the screen, ms", (round) => round.screenMs, {
    goals: [{ against: "state peer", sign: "<=", bound: 0.1 }],
  });
  print("re-attach to all lines, ms", (round) => round.allLinesMs);
}

interface RowOptions {
  readonly goals?: readonly Goal[];
  readonly digits?: number;
}

interface Goal {
  readonly against: ServerName;
  readonly sign: "<=" | ">=";
  readonly bound: number;
}

const goals = (sign: Goal["sign"], raw: number, state: number): readonly Goal[] => [
  { against: "raw peer", sign, bound: raw },
  { against: "state peer", sign, bound: state },
];

function judge(ratio: number, sign: Goal["sign"], bound: number): readonly string[] {
  return [ratio.toFixed(2), `${sign} ${bound}`, verdict(sign === ">=" ? ratio >= bound : ratio <= bound)];
}

await main();
