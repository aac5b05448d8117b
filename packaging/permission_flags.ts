/**
 * The permission set of deno.json as flags of `deno run` and `deno compile`, so that the executable has the very set
 * that `deno task start` has.
 */
import { z } from "zod";

const PermissionSchema = z.union([z.boolean(), z.array(z.string())]);
const ConfigSchema = z.object({ permissions: z.object({ default: z.record(z.string(), PermissionSchema) }) });

/** Throws when the text is no deno.json with a default permission set. */
export function permissionFlags(denoJson: string): readonly string[] {
  const { permissions } = ConfigSchema.parse(JSON.parse(denoJson));
  const allowed = Object.entries(permissions.default).flatMap(([name, value]) => {
    if (value === false) return [];
    return [value === true ? `--allow-${name}` : `--allow-${name}=${value.join(",")}`];
  });
  return ["--no-prompt", ...allowed];
}
