/**
 * IdeA runs with permission for the loopback only. Told to listen elsewhere, it starts itself once more with permission
 * for that address too, so that the wider permission is there only when it was asked for.
 */
import type { Self } from "../adapters/process/self_command.ts";
import { withoutLauncher } from "../adapters/process/launcher_environment.ts";

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

export async function isNetPermitted(hostname: string): Promise<boolean> {
  return (await Deno.permissions.query({ name: "net", host: bracketed(hostname) })).state === "granted";
}

function bracketed(hostname: string): string {
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}

/** How to start this program with that permission; undefined when its permissions were set when it was built. */
export function widerCommand(
  self: Self,
  hostname: string,
): { readonly argv: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>> } | undefined {
  const host = bracketed(hostname);
  const env = withoutLauncher(self.env);
  const launcher = self.env["IDEA_SELF"];
  // packaging/header.sh adds it to the permissions.
  if (launcher !== undefined) return { argv: [launcher], env: { ...env, IDEA_NET: host } };
  if (self.standalone) return undefined;
  const net = `--allow-net=${[...LOOPBACK, host].join(",")}`;
  return { argv: [self.execPath, "run", "--quiet", "-P", "--no-prompt", net, self.mainModule], env };
}
