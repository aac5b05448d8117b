/** The contract's behaviours as real programs of a Unix machine. */
import { createPty } from "../../adapters/pty/mod.ts";
import type { Behaviour, PtyHarness } from "../contracts/pty.ts";

const SLEEP_FOREVER = "while :; do sleep 1 & wait $!; done";
const RAW = "stty raw -echo; ";

export const unixHarness: PtyHarness = {
  folder: Deno.realPathSync(Deno.env.get("TMPDIR") ?? "/tmp"),
  env: { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin", LC_ALL: "C" },
  create: createPty,
  killed: { kind: "signalled", signal: 9 },
  argv: (behaviour) => sh(script(behaviour)),
};

export function sh(text: string): [string, ...string[]] {
  return ["sh", "-c", text];
}

function script(behaviour: Behaviour): string {
  switch (behaviour.kind) {
    case "exits":
      return `exit ${behaviour.code}`;
    case "dies":
      return `kill -${behaviour.signal} $$`;
    case "prints":
      return `${RAW} printf %s '${behaviour.text}'; exit ${behaviour.code}`;
    case "floods":
      return `${RAW} head -c ${behaviour.bytes} /dev/zero | tr '\\0' x`;
    case "echoes":
      // Unlike head and others, dd keeps nothing back.
      return `${RAW} printf ready; exec dd bs=1 count=${behaviour.bytes} 2> /dev/null`;
    case "reportsSize":
      return `${RAW} trap 'stty size' WINCH; stty size; ${SLEEP_FOREVER}`;
    case "ignoresHangUp":
      return `trap '' HUP; printf ready; ${SLEEP_FOREVER}`;
    case "handlesHangUp":
      return `trap 'exit ${behaviour.code}' HUP; printf ready; ${SLEEP_FOREVER}`;
    case "neverReads":
      return `${RAW} printf ready; exec sleep 60`;
  }
}
