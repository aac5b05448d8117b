/**
 * Our terminals against a loop in C on the same kernel, alternating in one run: reading, the CPU it takes, the echo of a
 * key. Goals: quality table, P5 ("reading a PTY alone"). Usage: deno task bench:pty [ROUNDS]
 */
import process from "node:process";
import { unixPlatform } from "../../adapters/pty/unix/platform.ts";
import { createUnixPty, type UnixPty } from "../../adapters/pty/unix/pty.ts";
import { colouredLog } from "./coloured_log.ts";
import { median, printRow, quantile, verdict } from "./figures.ts";

const LOG_BYTES = 40_000_000;
const KEYS = 500;
const KEY_GAP_MS = 1;
const SIZE = { cols: 100, rows: 30 };
/** Bytes of the flood beside which keys are typed. */
const FLOOD = ["sh", "-c", "exec yes 'the quick brown fox jumps over the lazy dog'"] as const;

interface Reading {
  readonly megabytesPerSecond: number;
  readonly cpuSecondsPer100Mb: number;
}

async function main(): Promise<void> {
  const rounds = Number(Deno.args[0] ?? 9);
  const platform = unixPlatform(Deno.build.os, Deno.build.arch);
  if (platform === undefined || Deno.build.os !== "linux") return console.log("skipped: needs Linux");
  const folder = await Deno.makeTempDir();
  try {
    const reference = await compile(folder);
    if (reference === undefined) return console.log("skipped: needs gcc (apt-get install gcc)");
    await Deno.writeTextFile(`${folder}/log`, colouredLog(LOG_BYTES));
    await using pty = createUnixPty(platform);
    await measure({ pty, reference, log: `${folder}/log`, rounds });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

interface Bench {
  readonly pty: UnixPty;
  readonly reference: string;
  readonly log: string;
  readonly rounds: number;
}

async function measure({ pty, reference, log, rounds }: Bench): Promise<void> {
  const c: Reading[] = [];
  const ours: Reading[] = [];
  const cEcho: number[] = [];
  const ourEcho: number[] = [];
  for (let round = 0; round < rounds; round++) {
    c.push(await readInC(reference, log));
    ours.push(await readOurs(pty, log));
    cEcho.push(...await echoInC(reference));
    ourEcho.push(...await echoOurs(pty));
  }
  const floodedEcho = await withFlood(pty, () => echoOurs(pty));

  const speed = (readings: readonly Reading[]) => median(readings.map((reading) => reading.megabytesPerSecond));
  const cpu = (readings: readonly Reading[]) => median(readings.map((reading) => reading.cpuSecondsPer100Mb));
  // Of each round, whose two halves were close in time: others use the machine too.
  const ratio = median(
    ours.map((reading, index) => reading.megabytesPerSecond / (c[index]?.megabytesPerSecond ?? NaN)),
  );
  printRow("", "ours", "C", "ratio", "goal", "verdict");
  printRow(
    "read, MB/s",
    speed(ours).toFixed(1),
    speed(c).toFixed(1),
    ratio.toFixed(2),
    ">= 0.85",
    verdict(ratio >= 0.85),
  );
  printRow("CPU s / 100 MB", cpu(ours).toFixed(2), cpu(c).toFixed(2), (cpu(ours) / cpu(c)).toFixed(2), "", "");
  for (const [name, share] of [["p50", 0.5], ["p99", 0.99]] as const) {
    const [mine, theirs] = [quantile(ourEcho, share), quantile(cEcho, share)];
    printRow(`echo ${name}, us`, mine.toFixed(0), theirs.toFixed(0), (mine / theirs).toFixed(2), "", "");
  }
  for (const [name, share] of [["p50", 0.5], ["p99", 0.99]] as const) {
    printRow(`echo ${name} in a flood, us`, quantile(floodedEcho, share).toFixed(0), "", "", "", "");
  }
  const { turns, reads, echoesAtOnce } = pty.stats();
  console.log(`\n${rounds} rounds; reactor: ${turns} turns, ${reads} reads, ${echoesAtOnce} echoes without a turn`);
}

async function compile(folder: string): Promise<string | undefined> {
  const source = new URL("pty_reference.c", import.meta.url).pathname;
  try {
    const args = ["-O2", "-Wall", "-Wextra", "-o", `${folder}/pty_reference`, source];
    const { success } = await new Deno.Command("gcc", { args, stderr: "inherit" }).output();
    return success ? `${folder}/pty_reference` : undefined;
  } catch {
    return undefined;
  }
}

async function runReference(reference: string, ...args: string[]): Promise<string> {
  const { success, stdout } = await new Deno.Command(reference, { args, stderr: "inherit" }).output();
  if (!success) throw new Error(`pty_reference ${args[0]} failed`);
  return new TextDecoder().decode(stdout);
}

async function readInC(reference: string, log: string): Promise<Reading> {
  const { bytes, seconds, cpuSeconds } = JSON.parse(await runReference(reference, "read", "cat", log));
  return { megabytesPerSecond: bytes / 1e6 / seconds, cpuSecondsPer100Mb: cpuSeconds / (bytes / 1e8) };
}

async function readOurs(pty: UnixPty, log: string): Promise<Reading> {
  const cpuBefore = process.cpuUsage();
  const begin = performance.now();
  let bytes = 0;
  await new Promise<void>((resolve) =>
    spawn(pty, ["cat", log], { onData: (data) => bytes += data.length, onExit: resolve })
  );
  const seconds = (performance.now() - begin) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { megabytesPerSecond: bytes / 1e6 / seconds, cpuSecondsPer100Mb: (user + system) / 1e6 / (bytes / 1e8) };
}

async function echoInC(reference: string): Promise<readonly number[]> {
  return JSON.parse(await runReference(reference, "echo", String(KEYS))).us;
}

/** Microseconds from each key to its echo, in the order typed. */
function echoOurs(pty: UnixPty): Promise<readonly number[]> {
  const us: number[] = [];
  return new Promise((resolve) => {
    let begin = 0;
    const terminal = spawn(pty, ["sh", "-c", "stty raw -echo; printf r; exec cat"], {
      onData() {
        if (begin !== 0) us.push((performance.now() - begin) * 1_000);
        if (us.length < KEYS) setTimeout(type, KEY_GAP_MS);
        else void terminal.close(0);
      },
      onExit: () => resolve(us),
    });
    function type(): void {
      begin = performance.now();
      terminal.write("a");
    }
  });
}

async function withFlood<T>(pty: UnixPty, work: () => Promise<T>): Promise<T> {
  const flood = spawn(pty, FLOOD, { onData() {}, onExit() {} });
  const result = await work();
  await flood.close(0);
  return result;
}

function spawn(
  pty: UnixPty,
  argv: readonly [string, ...string[]],
  { onData, onExit }: { readonly onData: (data: Uint8Array) => void; readonly onExit: () => void },
) {
  const spawned = pty.spawn({ argv, cwd: "/", env: Deno.env.toObject(), size: SIZE, onData, onExit });
  if (!spawned.ok) throw new Error(JSON.stringify(spawned.error));
  return spawned.value;
}

await main();
