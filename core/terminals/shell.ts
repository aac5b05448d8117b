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
