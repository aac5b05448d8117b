/** The person's shell, started as the platform's own terminals start it. */

export type TerminalPlatform = "linux" | "darwin" | "windows";

/** env is the person's login environment. */
export function planShell(
  env: Readonly<Record<string, string>>,
  platform: TerminalPlatform,
): readonly [string, ...string[]] {
  switch (platform) {
    case "linux":
      return [env["SHELL"] || "/bin/sh"];
    case "darwin":
      // Terminals of macOS start login shells: PATH is set in the login files there.
      return [env["SHELL"] || "/bin/zsh", "-l"];
    case "windows":
      return [env["COMSPEC"] || env["ComSpec"] || "cmd.exe"];
  }
}

/** What a program may rely on in a terminal of IdeA. */
export function terminalEnvironment(
  login: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  return { ...login, TERM: "xterm-256color", COLORTERM: "truecolor", TERM_PROGRAM: "IdeA", ...added };
}

/**
 * Makes bash mark its prompts (OSC 133) and tell its folder (OSC 7), as fish does by itself: jumping between prompts,
 * and clearing what a dead program left switched on, need the marks. Only through the environment, which the person's
 * own settings override, and never over something that is set already.
 */
export function shellMarks(
  argv: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const isBash = /(^|[/\\])bash(\.exe)?$/.test(argv[0]);
  if (!isBash || env["PROMPT_COMMAND"] !== undefined || env["PS0"] !== undefined) return {};
  return {
    // A folder's name is anybody's: one with control characters is not printed.
    PROMPT_COMMAND: String.raw`printf '\e]133;D;%s\a' "$?"; ` +
      String.raw`[[ $PWD == *[%[:cntrl:]]* ]] || printf '\e]7;file://%s%s\a' "$HOSTNAME" "$PWD"; printf '\e]133;A\a'`,
    PS0: String.raw`\e]133;C\a`,
  };
}
