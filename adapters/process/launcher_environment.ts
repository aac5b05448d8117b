/**
 * The environment of whoever started IdeA, without what launchers put in: our own (packaging/header.sh), and bundles
 * like AppImage and Snap, which point loaders and searches into themselves. Every program that IdeA starts gets this
 * one, or a person's `deno` would use our cache and their tools would load a bundle's libraries.
 */

type Environment = Readonly<Record<string, string>>;

const OURS = ["IDEA_SELF", "IDEA_USER_DENO_DIR", "IDEA_NET", "DENO_NO_UPDATE_CHECK"];

/** Set by the AppImage runtime: docs.appimage.org, "Environment variables". */
const APPIMAGE = ["APPDIR", "APPIMAGE", "ARGV0", "OWD"];

export function withoutLauncher(env: Environment): Environment {
  return withoutBundle(withoutOurs(env));
}

function withoutOurs(env: Environment): Environment {
  if (env["IDEA_SELF"] === undefined) return env;
  const theirs = without(env, (name) => OURS.includes(name) || name === "DENO_DIR");
  const denoDir = env["IDEA_USER_DENO_DIR"];
  return denoDir === undefined ? theirs : { ...theirs, DENO_DIR: denoDir };
}

function withoutBundle(env: Environment): Environment {
  const roots = [env["APPDIR"], env["SNAP"]].filter((root) => root?.startsWith("/") && root !== "/");
  if (roots.length === 0) return env;
  const isInside = (path: string) => roots.some((root) => path === root || path.startsWith(`${root}/`));
  const theirs = without(env, (name) => APPIMAGE.includes(name) || name === "SNAP" || name.startsWith("SNAP_"));
  return Object.fromEntries(
    Object.entries(theirs).flatMap(([name, value]) => {
      const entries = value.split(":");
      const kept = entries.filter((entry) => !isInside(entry));
      if (kept.length === entries.length) return [[name, value]];
      // Bundles put their entries before or after an empty one when there was none of the person's.
      return kept.every((entry) => entry === "") ? [] : [[name, kept.join(":")]];
    }),
  );
}

function without(env: Environment, isLeftOut: (name: string) => boolean): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isLeftOut(name)));
}
