/**
 * Folders in memory, as strict as the disk: paths are checked, one owner per folder, hashes compared, torn lines moved
 * away. Tests reach the disk itself to play the people and programs that change files too.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../../core/ports/clock.ts";
import type {
  Folder,
  FolderEntry,
  FolderError,
  FolderLockedError,
  Folders,
  OpenFolderOptions,
} from "../../core/ports/folder.ts";
import { err, ok, type Result } from "../../core/result.ts";

export interface FakeDisk {
  readonly folders: Folders;
  /** Writes as somebody else; absolute path. Folders on the way are made. unnoticed: before any report of it. */
  write(path: string, content: string | Uint8Array, options?: { readonly unnoticed?: boolean }): void;
  read(path: string): string | undefined;
  remove(path: string): void;
  makeFolder(path: string): void;
  /** Absolute paths of all files, sorted. */
  files(): readonly string[];
  /** Written for the owner's eyes only. */
  isSecret(path: string): boolean;
  /** Every write and append from now on fails so, until undefined is set. */
  failWrites(kind: "diskFull" | "notPermitted" | undefined): void;
  /** All owners die: locks fall, and what they still ask of their folders is never answered. */
  crash(): void;
}

interface Owner {
  readonly root: string;
  readonly isReported: (path: string) => boolean;
  readonly listeners: Set<(paths: readonly string[]) => void>;
  pending: Set<string>;
  alive: boolean;
  crashed: boolean;
}

const OWN_PID = 4_711;

export function createFakeDisk(clock: Clock): FakeDisk {
  const files = new TimedFiles(() => clock.nowMs());
  const folders = new Set<string>(["/"]);
  const secrets = new Set<string>();
  const owners = new Map<string, Owner>();
  let writeFault: "diskFull" | "notPermitted" | undefined;

  const makeFolder = (path: string) => {
    for (let at = path; at !== "/"; at = parentOf(at)) {
      if (files.has(at)) throw new Error(`a file is in the way: ${at}`);
      folders.add(at);
    }
  };

  const notify = (path: string) => {
    for (const owner of owners.values()) {
      const relative = path.startsWith(`${owner.root}/`) ? path.slice(owner.root.length + 1) : undefined;
      if (relative === undefined || !owner.isReported(relative) || owner.listeners.size === 0) continue;
      if (owner.pending.size === 0) queueMicrotask(() => report(owner));
      owner.pending.add(relative);
    }
  };

  const report = (owner: Owner) => {
    const paths = [...owner.pending].sort();
    owner.pending = new Set();
    if (owner.alive) { for (const listener of [...owner.listeners]) listener(paths); }
  };

  const removeTree = (path: string) => {
    for (const file of [...files.keys()]) if (file === path || file.startsWith(`${path}/`)) files.delete(file);
    for (const folder of [...folders]) if (folder === path || folder.startsWith(`${path}/`)) folders.delete(folder);
  };

  const disk: Disk = { files, folders, secrets, clock, makeFolder, removeTree, writeFault: () => writeFault };

  return {
    folders: {
      // deno-lint-ignore require-await -- the port is asynchronous
      async open(root, options = {}) {
        const refused = refuseOpen({ disk, root, options });
        if (refused !== undefined) return err(refused);
        if (owners.has(root)) return err<FolderLockedError>({ kind: "locked", path: root, pid: OWN_PID });
        if (writeFault !== undefined) return err({ kind: writeFault, path: root });
        makeFolder(root);
        const unwatched = options.unwatched ?? [];
        const owner: Owner = {
          root,
          isReported: (path) => !unwatched.some((folder) => path === folder || path.startsWith(`${folder}/`)),
          listeners: new Set(),
          pending: new Set(),
          alive: true,
          crashed: false,
        };
        owners.set(root, owner);
        return ok(createFakeFolder(disk, owner, () => owners.delete(root)));
      },
      // deno-lint-ignore require-await -- the port is asynchronous
      async resolve(path) {
        return folders.has(path) ? ok(path) : err({ kind: "notFound", path });
      },
    },
    write(path, content, { unnoticed = false } = {}) {
      makeFolder(parentOf(path));
      files.set(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
      if (!unnoticed) notify(path);
    },
    read: (path) => decodeLossy(files.get(path)),
    remove(path) {
      const gone = [...files.keys()].filter((file) => file === path || file.startsWith(`${path}/`));
      removeTree(path);
      for (const file of gone) notify(file);
    },
    makeFolder,
    files: () => [...files.keys()].sort(),
    isSecret: (path) => secrets.has(path),
    failWrites(kind) {
      writeFault = kind;
    },
    crash() {
      for (const owner of owners.values()) {
        owner.alive = false;
        owner.crashed = true;
      }
      owners.clear();
    },
  };
}

/** Files by path, and when each was written. */
class TimedFiles extends Map<string, Uint8Array> {
  readonly #times = new Map<string, number>();

  constructor(private readonly nowMs: () => number) {
    super();
  }

  override set(path: string, bytes: Uint8Array): this {
    this.#times.set(path, this.nowMs());
    return super.set(path, bytes);
  }

  timeOf(path: string): number {
    return this.#times.get(path) ?? 0;
  }
}

interface Disk {
  readonly files: TimedFiles;
  readonly folders: Set<string>;
  readonly secrets: Set<string>;
  readonly clock: Clock;
  makeFolder(path: string): void;
  removeTree(path: string): void;
  writeFault(): "diskFull" | "notPermitted" | undefined;
}

function refuseOpen(
  { disk, root, options }: { disk: Disk; root: string; options: OpenFolderOptions },
): FolderError | undefined {
  if (!root.startsWith("/") || root.endsWith("/")) throw new Error(`not an absolute path: ${root}`);
  const { within, createParents } = options;
  if (within !== undefined && root !== within && !root.startsWith(`${within}/`)) {
    return { kind: "outsideFolder", path: root };
  }
  if (createParents !== true && !disk.folders.has(parentOf(root))) return { kind: "notFound", path: root };
  return undefined;
}

function createFakeFolder(disk: Disk, owner: Owner, release: () => void): Folder {
  const { files, clock } = disk;
  const at = (path: string) => (path === "" ? owner.root : `${owner.root}/${path}`);

  /** Work of one call; refused when the path is none, the owner is gone, or writing fails just now. */
  const attempt = <T>(
    path: string,
    need: { readonly write: boolean; readonly root?: boolean },
    work: () => Result<T, FolderError>,
  ): Promise<Result<T, FolderError>> => {
    if (owner.crashed) return new Promise(() => {});
    if (!owner.alive) throw new Error("the folder is closed");
    const fault = disk.writeFault();
    if (!isPath(path) && !(need.root === true && path === "")) {
      return Promise.resolve(err({ kind: "outsideFolder", path }));
    }
    return Promise.resolve(need.write && fault !== undefined ? err({ kind: fault, path }) : work());
  };

  const put = (path: string, text: string): { readonly hash: string } => {
    const bytes = new TextEncoder().encode(text);
    disk.makeFolder(parentOf(at(path)));
    files.set(at(path), bytes);
    return { hash: hashOf(bytes) };
  };

  /** Moves a torn last line away; gives the whole ones. */
  const repair = (path: string): { readonly lines: readonly string[]; readonly tornTo?: string } => {
    const text = decodeLossy(files.get(at(path))) ?? "";
    const tail = text.slice(text.lastIndexOf("\n") + 1);
    const isTorn = tail !== "" && !isWholeJson(tail);
    const lines = (isTorn ? text.slice(0, -tail.length) : text).split("\n").filter((line) => line !== "");
    if (!isTorn) return { lines };
    const tornTo = `${path}.torn-${clock.nowMs()}`;
    put(tornTo, tail);
    put(path, text.slice(0, -tail.length));
    return { lines, tornTo };
  };

  return {
    root: owner.root,
    readText: (path, { maxBytes } = {}) =>
      attempt(path, { write: false }, () => {
        const bytes = files.get(at(path));
        if (bytes === undefined) return ok(undefined);
        if (maxBytes !== undefined && bytes.length > maxBytes) {
          return err({ kind: "tooLarge", path, sizeBytes: bytes.length, limitBytes: maxBytes });
        }
        const text = decodeStrict(bytes);
        return text === undefined ? err({ kind: "notText", path }) : ok({ text, hash: hashOf(bytes) });
      }),
    writeText: (path, text, { expectedHash, secret } = {}) =>
      attempt(path, { write: true }, () => {
        const bytes = files.get(at(path));
        const actualHash = bytes === undefined ? undefined : hashOf(bytes);
        if (expectedHash !== undefined && actualHash !== (expectedHash ?? undefined)) {
          return err({ kind: "changedOutside", path, actualHash });
        }
        if (secret === true) disk.secrets.add(at(path));
        else disk.secrets.delete(at(path));
        return ok(put(path, text));
      }),
    appendLine(path, line) {
      if (line === "" || line.endsWith("\n")) throw new Error("a line has content, and no line break at its end");
      return attempt(path, { write: true }, () => {
        const { lines } = repair(path);
        put(path, [...lines, line].map((each) => `${each}\n`).join(""));
        return ok();
      });
    },
    readLines: (path) => attempt(path, { write: false }, () => ok(repair(path))),
    list: (path, { times = false } = {}) =>
      attempt(path, { write: false, root: true }, () => ok(listEntries(disk, at(path), times))),
    remove: (path) =>
      attempt(path, { write: true }, () => {
        disk.removeTree(at(path));
        return ok();
      }),
    setAside: (path) =>
      attempt(path, { write: true }, () => {
        const bytes = files.get(at(path));
        if (bytes === undefined) return err({ kind: "notFound", path });
        const target = `${path}.corrupt-${clock.nowMs()}`;
        files.set(at(target), bytes);
        files.delete(at(path));
        return ok(target);
      }),
    watch(onChange) {
      const own = (paths: readonly string[]) => onChange(paths);
      owner.listeners.add(own);
      return { [Symbol.dispose]: () => void owner.listeners.delete(own) };
    },
    [Symbol.asyncDispose]() {
      if (owner.alive) release();
      owner.alive = false;
      return Promise.resolve();
    },
  };
}

function listEntries({ files, folders }: Disk, place: string, times: boolean): readonly FolderEntry[] {
  const entries = [
    ...[...files.keys()].map((path) => ({ path, kind: "file" as const })),
    ...[...folders].map((path) => ({ path, kind: "folder" as const })),
  ];
  return entries.filter(({ path }) => path !== "/" && parentOf(path) === place)
    .map(({ path, kind }) => ({
      name: path.slice(path.lastIndexOf("/") + 1),
      kind,
      ...(times && kind === "file" ? { modifiedAtMs: files.timeOf(path) } : {}),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

function isPath(path: string): boolean {
  // deno-lint-ignore no-control-regex -- refusing them is the purpose
  return path.split("/").every((name) => !["", ".", ".."].includes(name) && !/[\u0000-\u001f\u007f\\:]/.test(name));
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function decodeLossy(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

function decodeStrict(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isWholeJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}
