/**
 * The environment of whoever started IdeA, without what our own launcher put in (packaging/header.sh): every program
 * that IdeA starts gets this one, or a person's `deno` would use our cache.
 */

const OURS = ["IDEA_SELF", "IDEA_USER_DENO_DIR", "IDEA_NET", "DENO_NO_UPDATE_CHECK"];

export function withoutLauncher(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (env["IDEA_SELF"] === undefined) return env;
  const theirs = Object.fromEntries(
    Object.entries(env).filter(([name]) => !OURS.includes(name) && name !== "DENO_DIR"),
  );
  const denoDir = env["IDEA_USER_DENO_DIR"];
  return denoDir === undefined ? theirs : { ...theirs, DENO_DIR: denoDir };
}
