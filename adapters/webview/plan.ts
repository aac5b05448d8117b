/**
 * How to show the page to the person, as a list of programs to try in order. Pure: what the machine has is given.
 *
 * A Chromium-like browser in app mode is a window of its own without tabs; then whatever the person reads the web with.
 * Nothing is tried where nobody could see it: in CI, over SSH, without a display.
 */

export interface Machine {
  readonly os: "linux" | "macos" | "windows";
  readonly env: Readonly<Record<string, string>>;
  readonly isRoot: boolean;
  /** Absolute path of a program of that name in PATH, or the path itself when it is there. */
  readonly find: (program: string) => string | undefined;
}

export interface Attempt {
  readonly kind: "app" | "browser";
  readonly argv: readonly [string, ...string[]];
}

const LINUX_BROWSERS = [
  ...["google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "microsoft-edge", "brave-browser"],
];
const MAC_BROWSERS = ["Google Chrome", "Microsoft Edge", "Brave Browser", "Chromium"]
  .map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
const WINDOWS_BROWSERS = ["Microsoft\\Edge\\Application\\msedge.exe", "Google\\Chrome\\Application\\chrome.exe"];
const WSL_RUNDLL = "/mnt/c/Windows/System32/rundll32.exe";

/** profileFolder: where the app window keeps its own browser profile, apart from the person's. */
export function planWindow(url: string, machine: Machine, profileFolder: string): readonly Attempt[] {
  if (!canShow(machine)) return [];
  const app = findChromium(machine);
  const browsers = browserCommands(url, machine).map((argv): Attempt => ({ kind: "browser", argv }));
  return app === undefined
    ? browsers
    : [{ kind: "app", argv: appCommand(app, { url, machine, profileFolder }) }, ...browsers];
}

function canShow({ os, env }: Machine): boolean {
  // A remote editor sets BROWSER to a helper that opens the page where the person sits.
  if (env["CI"] || env["SSH_CONNECTION"] || env["SSH_TTY"]) return Boolean(env["BROWSER"]);
  return os !== "linux" ||
    Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"] || env["WSL_DISTRO_NAME"] || env["BROWSER"]);
}

function findChromium({ os, env, find }: Machine): string | undefined {
  // Without a screen of our own only the helper of BROWSER can show anything.
  if (env["SSH_CONNECTION"] || env["SSH_TTY"] || env["CI"]) return undefined;
  const roots = [env["ProgramFiles(x86)"], env["ProgramFiles"], env["LOCALAPPDATA"]].filter((root) =>
    root !== undefined
  );
  const candidates = {
    linux: env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? LINUX_BROWSERS : [],
    macos: MAC_BROWSERS,
    windows: roots.flatMap((root) => WINDOWS_BROWSERS.map((path) => `${root}\\${path}`)),
  };
  for (const candidate of candidates[os]) {
    const found = find(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

function appCommand(
  program: string,
  { url, machine, profileFolder }: {
    readonly url: string;
    readonly machine: Machine;
    readonly profileFolder: string;
  },
): readonly [string, ...string[]] {
  const flags = ["--no-first-run", "--no-default-browser-check", "--disable-sync"];
  // Chromium's own sandbox refuses to run as root.
  if (machine.os === "linux" && machine.isRoot) flags.push("--no-sandbox");
  return [program, `--app=${url}`, `--user-data-dir=${profileFolder}`, ...flags];
}

function browserCommands(url: string, { os, env, find }: Machine): readonly (readonly [string, ...string[]])[] {
  if (os === "macos") return [["open", url]];
  if (os === "windows") return [["rundll32", "url.dll,FileProtocolHandler", url]];
  const commands: (readonly [string, ...string[]])[] = [];
  const chosen = env["BROWSER"]?.split(":").find((name) => name !== "");
  if (chosen !== undefined) commands.push([chosen, url]);
  if (env["WSL_DISTRO_NAME"]) commands.push(["wslview", url], [WSL_RUNDLL, "url.dll,FileProtocolHandler", url]);
  commands.push(["xdg-open", url]);
  return commands.filter(([program]) => find(program) !== undefined);
}
