/** A program that takes our place in the terminal until it ends. */

/**
 * Runs it on our own terminal and gives its exit code. Ctrl+C reaches it by itself, since it is in our process group;
 * we stay to hand on its exit code, and hand it the signal of whoever stops us by id.
 */
export async function runInForeground(
  argv: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const [program, ...args] = argv;
  const child = new Deno.Command(program, { args, clearEnv: true, env: { ...env } }).spawn();
  const stay = () => {};
  const pass = () => child.kill("SIGTERM");
  Deno.addSignalListener("SIGINT", stay);
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", pass);
  try {
    return (await child.status).code;
  } finally {
    Deno.removeSignalListener("SIGINT", stay);
    if (Deno.build.os !== "windows") Deno.removeSignalListener("SIGTERM", pass);
  }
}
