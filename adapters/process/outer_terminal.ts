/**
 * IdeA may be started from a terminal, and its terminals are none of that kind: programs that look for these variables
 * would use another terminal's protocol, or refuse to start inside a multiplexer that is not there.
 */
const NAMES = new Set([
  "TERM",
  "TERM_PROGRAM",
  "TERM_PROGRAM_VERSION",
  "TERM_SESSION_ID",
  "COLORTERM",
  "COLUMNS",
  "LINES",
  "WINDOWID",
  "VTE_VERSION",
  "LC_TERMINAL",
  "LC_TERMINAL_VERSION",
  "TMUX",
  "TMUX_PANE",
  "STY",
]);
const PREFIXES = [
  "ALACRITTY_",
  "ConEmu",
  "GHOSTTY_",
  "GNOME_TERMINAL_",
  "ITERM_",
  "KITTY_",
  "KONSOLE_",
  "VSCODE_",
  "WEZTERM_",
  "WT_",
  "ZELLIJ",
];

export function withoutOuterTerminal(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const isLeftOut = (name: string) => NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isLeftOut(name)));
}
