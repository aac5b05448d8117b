/** Shows the page to the person: tries what plan.ts says until something stays up. */
import { isUpAfter, startDetached } from "../process/detached.ts";
import { findProgram } from "../process/find_program.ts";
import { withoutLauncher } from "../process/launcher_environment.ts";
import { type Attempt, type Machine, planWindow } from "./plan.ts";

export type Shown = { readonly kind: Attempt["kind"]; readonly pid: number } | { readonly kind: "nothing" };

/** A browser that cannot start is gone by then. */
const UP_AFTER_MS = 1_500;

/** "nothing": nobody could see a window here, or no program showed one; then the caller prints the URL. */
export async function openWindow(url: string, profileFolder: string): Promise<Shown> {
  for (const { kind, argv } of planWindow(url, thisMachine(), profileFolder)) {
    const started = startDetached(argv);
    if (started.ok && await isUpAfter(started.value, UP_AFTER_MS)) return { kind, pid: started.value.pid };
  }
  return { kind: "nothing" };
}

function thisMachine(): Machine {
  const { os } = Deno.build;
  const env = withoutLauncher(Deno.env.toObject());
  return {
    os: os === "windows" ? "windows" : os === "darwin" ? "macos" : "linux",
    env,
    isRoot: Deno.uid() === 0,
    find: (program) => findProgram(program, env["PATH"] ?? ""),
  };
}
