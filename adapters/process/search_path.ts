/** Where a program may lie, in the order in which a system looks. Pure: whoever asks looks whether it is there. */

export type PathPlatform = "unix" | "windows";

export interface ProgramQuery {
  /** A path, or a name that is looked up. */
  readonly program: string;
  /** The variable PATH; undefined when it is not set. */
  readonly searchPath: string | undefined;
  /** What relative paths start from. */
  readonly folder: string;
  readonly platform: PathPlatform;
}

/** Where POSIX systems look when there is no PATH at all. */
const UNIX_PATH = "/usr/local/bin:/usr/bin:/bin";
/** What cmd.exe takes for programs unless PATHEXT says otherwise. */
const WINDOWS_EXTENSIONS = [".com", ".exe", ".bat", ".cmd"];

export function programCandidates(query: ProgramQuery): readonly string[] {
  if (query.program === "") return [];
  return query.platform === "unix" ? unixCandidates(query) : windowsCandidates(query);
}

/** On Windows names of variables are the same in any case, and PATH is mostly called Path. */
export function searchPathOf(env: Readonly<Record<string, string>>, platform: PathPlatform): string | undefined {
  if (platform === "unix") return env["PATH"];
  return Object.entries(env).find(([name]) => name.toUpperCase() === "PATH")?.[1];
}

export function isAbsolutePath(path: string, platform: PathPlatform): boolean {
  return platform === "unix" ? path.startsWith("/") : /^(?:[A-Za-z]:[\\/]|[\\/]{2})/.test(path);
}

function unixCandidates({ program, searchPath, folder }: ProgramQuery): readonly string[] {
  const within = (path: string) => path.startsWith("/") ? path : `${folder}/${path}`;
  if (program.includes("/")) return [within(program)];
  return (searchPath ?? UNIX_PATH).split(":").map((entry) => within(`${entry === "" ? "." : entry}/${program}`));
}

function windowsCandidates({ program, searchPath, folder }: ProgramQuery): readonly string[] {
  const within = (path: string) => isAbsolutePath(path, "windows") ? path : `${folder}\\${path}`;
  const isPath = /[\\/:]/.test(program);
  // The folder itself is not searched, as Windows would do first: a project could bring its own git.exe.
  const entries = (searchPath ?? "").split(";").filter((entry) => entry !== "");
  const bases = isPath
    ? [within(program)]
    : entries.map((entry) => within(`${entry.replace(/^"|"$/g, "").replace(/[\\/]$/, "")}\\${program}`));
  const hasExtension = WINDOWS_EXTENSIONS.some((extension) => program.toLowerCase().endsWith(extension));
  return bases.flatMap((base) => hasExtension ? [base] : WINDOWS_EXTENSIONS.map((extension) => base + extension));
}
