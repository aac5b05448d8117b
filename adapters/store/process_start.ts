/**
 * When a process began, as a text that no other process on this machine has ever had together with its pid: a pid
 * alone is given again.
 */
import { isNotFound } from "./errors.ts";

/** undefined: it does not run, or this system does not tell. */
export type ProcessStart = (pid: number) => Promise<string | undefined>;

/** From /proc (Linux). Reading there takes all permissions; without them the system does not tell. */
export async function readProcessStart(pid: number): Promise<string | undefined> {
  if (Deno.build.os !== "linux") return undefined;
  try {
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
    const bootId = await Deno.readTextFile("/proc/sys/kernel/random/boot_id");
    return parseStat(stat, bootId.trim());
  } catch (error) {
    if (isNotFound(error) || error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}

/** proc_pid_stat(5): field 3 is the state, field 22 the start in clock ticks since boot; the name may hold anything. */
export function parseStat(stat: string, bootId: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state] = fields;
  const ticks = fields[19];
  // A zombie has ended: its parent has only not asked yet.
  if (ticks === undefined || state === "Z" || state === "X") return undefined;
  return `${bootId}:${ticks}`;
}
