/** The systems that an executable can be made for. */

export interface Target {
  readonly os: "linux" | "macos" | "windows";
  readonly arch: "x64" | "arm64";
  /** The npm package that holds Deno for it. */
  readonly runtime: string;
  /** For `deno compile --target`. */
  readonly triple: string;
  /** What `uname -s` and `uname -m` say there, joined by "-". */
  readonly uname: string;
}

export const TARGETS: Readonly<Record<string, Target>> = {
  "linux-x64": {
    os: "linux",
    arch: "x64",
    runtime: "@deno/linux-x64-glibc",
    triple: "x86_64-unknown-linux-gnu",
    uname: "Linux-x86_64",
  },
  "linux-arm64": {
    os: "linux",
    arch: "arm64",
    runtime: "@deno/linux-arm64-glibc",
    triple: "aarch64-unknown-linux-gnu",
    uname: "Linux-aarch64",
  },
  "macos-x64": {
    os: "macos",
    arch: "x64",
    runtime: "@deno/darwin-x64",
    triple: "x86_64-apple-darwin",
    uname: "Darwin-x86_64",
  },
  "macos-arm64": {
    os: "macos",
    arch: "arm64",
    runtime: "@deno/darwin-arm64",
    triple: "aarch64-apple-darwin",
    uname: "Darwin-arm64",
  },
  "windows-x64": {
    os: "windows",
    arch: "x64",
    runtime: "@deno/win32-x64",
    triple: "x86_64-pc-windows-msvc",
    uname: "",
  },
};

/** The name of the target that this machine is. */
export function hostTarget(): string {
  const host = Object.entries(TARGETS).find(([, { triple }]) => triple === Deno.build.target);
  if (host === undefined) throw new Error(`no executable can be made for ${Deno.build.target}`);
  return host[0];
}

/** The name of the runtime's program inside its package and the executable. */
export function denoName({ os }: Target): string {
  return os === "windows" ? "deno.exe" : "deno";
}
