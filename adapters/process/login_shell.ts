/**
 * What a login shell is asked, and what it answers. Shells print greetings, warnings and colours around it, so the
 * answer stands between two markers.
 */

/** Not the person's: they describe the shell that was asked. */
const OF_THE_SHELL = ["_", "SHLVL", "PWD", "OLDPWD"];

/** Tells start-up files that nobody is looking: they may skip what is slow or asks something. */
export const RESOLVING = "IDEA_RESOLVING_ENVIRONMENT";

/** Arguments with which the shell prints its environment; undefined for shells of a language of their own. */
export function environmentArgs(shell: string, marker: string): readonly string[] | undefined {
  // env is given by its path because PATH may be what start-up files broke; -0 is unknown to old systems.
  const script = `printf '%s' '${marker}'; /usr/bin/env -0 || /usr/bin/env; printf '%s' '${marker}'`;
  switch (shell.slice(shell.lastIndexOf("/") + 1)) {
    case "ash":
    case "bash":
    case "dash":
    case "fish":
    case "ksh":
    case "mksh":
    case "sh":
    case "zsh":
      return ["-i", "-l", "-c", script];
    // -l of these is taken only when it stands alone.
    case "csh":
    case "tcsh":
      return ["-i", "-c", script];
    default:
      return undefined;
  }
}

/** undefined when the answer is not there, or not whole. */
export function parseEnvironment(printed: string, marker: string): Readonly<Record<string, string>> | undefined {
  const [, answer, rest] = printed.split(marker);
  if (answer === undefined || rest === undefined) return undefined;
  // Without -0 a value's further lines look like any others, unless they look like a variable.
  const entries = answer.includes("\0") ? answer.split("\0") : answer.trimEnd().split(/\n(?=[A-Za-z_][A-Za-z0-9_]*=)/);
  const env = Object.fromEntries(
    entries.flatMap((entry) => {
      const equals = entry.indexOf("=");
      return equals > 0 ? [[entry.slice(0, equals), entry.slice(equals + 1)]] : [];
    }),
  );
  for (const name of [...OF_THE_SHELL, RESOLVING]) delete env[name];
  return Object.keys(env).length === 0 ? undefined : env;
}

/**
 * The shell's search path, then what only ours has: system-wide start-up files often set PATH anew, and what whoever
 * started IdeA put there on purpose must still be found.
 */
export function joinPaths(ofShell: string | undefined, ours: string | undefined): string | undefined {
  if (ofShell === undefined || ours === undefined) return ofShell ?? ours;
  return [...new Set([...ofShell.split(":"), ...ours.split(":").filter((entry) => entry !== "")])].join(":");
}
