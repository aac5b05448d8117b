/**
 * One JSON document in a folder that people and git change too. The value is what was last read or written; an edit is
 * a pure function, so when the file changed under us it is read again and the edit made anew on what is there: no
 * outside edit is ever lost.
 */
import type { Folder, FolderError } from "../ports/folder.ts";
import { err, ok, type Result } from "../result.ts";
import { type DocumentFormat, formatDocument, parseDocument } from "../workspace/document.ts";

const MAX_TRIES = 3;

export type DocumentError =
  /** Written by a newer IdeA: read as far as it goes, never written. */
  | { readonly kind: "newerVersion"; readonly path: string; readonly version: number; readonly knownVersion: number }
  /** movedTo: where the file is now; undefined while it still lies in its place. */
  | { readonly kind: "corrupt"; readonly path: string; readonly movedTo: string | undefined; readonly detail: string }
  | { readonly kind: "storage"; readonly error: FolderError };

export interface StoredDocument<T> {
  readonly path: string;
  value(): T;
  /** Whether there is a file. */
  exists(): boolean;
  /** Why the value is not what the file says, or what was moved aside since the document was opened. */
  problem(): DocumentError | undefined;
  /** Durable when it resolves. An edit that gives back the very value it got writes nothing. */
  update<E>(edit: (current: T) => Result<T, E>): Promise<Result<T, E | DocumentError>>;
  /** Reads what somebody else wrote; true when value or problem are other ones. */
  reload(): Promise<boolean>;
}

export interface DocumentPlace<T> {
  readonly folder: Folder;
  readonly path: string;
  readonly format: DocumentFormat<T>;
  /** The value while there is no file, or none that can be read. */
  readonly initial: T;
}

interface State<T> {
  readonly value: T;
  /** null: there is no file. */
  readonly hash: string | null;
  readonly problem?: DocumentError;
}

export async function openDocument<T>(place: DocumentPlace<T>): Promise<StoredDocument<T>> {
  const { folder, path } = place;
  let state = await load(place, place.initial);
  // Only now and before we write: a file that turns corrupt later is perhaps in the middle of an edit or a merge.
  const aside = await setCorruptAside(folder, state);
  if (aside.ok) state = aside.value;
  let last: Promise<unknown> = Promise.resolve();

  const oneAtATime = <R>(work: () => Promise<R>): Promise<R> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };

  const reload = async () => {
    const before = state;
    state = await load(place, before.value);
    return state.hash !== before.hash || state.problem?.kind !== before.problem?.kind;
  };

  const update = async <E>(edit: (current: T) => Result<T, E>): Promise<Result<T, E | DocumentError>> => {
    for (let tries = 1;; tries++) {
      // The disk may be back; what cannot be read is not written over.
      if (state.problem?.kind === "storage") await reload();
      if (state.problem?.kind === "newerVersion" || state.problem?.kind === "storage") return err(state.problem);
      const aside = await setCorruptAside(folder, state);
      if (!aside.ok) return aside;
      state = aside.value;
      const edited = edit(state.value);
      if (!edited.ok || edited.value === state.value) return edited;
      const text = formatDocument(edited.value);
      const written = await folder.writeText(path, text, { expectedHash: state.hash });
      if (written.ok) {
        state = { ...state, value: edited.value, hash: written.value.hash };
        return ok(edited.value);
      }
      if (written.error.kind !== "changedOutside" || tries === MAX_TRIES) {
        return err({ kind: "storage", error: written.error });
      }
      await reload();
    }
  };

  return {
    path,
    value: () => state.value,
    exists: () => state.hash !== null,
    problem: () => state.problem,
    update: (edit) => oneAtATime(() => update(edit)),
    reload: () => oneAtATime(reload),
  };
}

/** fallback: what holds while the file cannot be read; a file that is gone gives the initial value. */
async function load<T>({ folder, path, format, initial }: DocumentPlace<T>, fallback: T): Promise<State<T>> {
  const read = await folder.readText(path);
  if (!read.ok) {
    const isText = read.error.kind !== "notText";
    const problem: DocumentError = isText
      ? { kind: "storage", error: read.error }
      : { kind: "corrupt", path, movedTo: undefined, detail: "not UTF-8" };
    return { value: fallback, hash: null, problem };
  }
  if (read.value === undefined) return { value: initial, hash: null };
  const { text, hash } = read.value;
  const parsed = parseDocument(format, text);
  if (parsed.ok) return { value: parsed.value, hash };
  switch (parsed.error.kind) {
    case "newerVersion": {
      const { version, readable } = parsed.error;
      const problem: DocumentError = { kind: "newerVersion", path, version, knownVersion: format.version };
      return { value: readable ?? fallback, hash, problem };
    }
    case "corrupt":
      return { value: fallback, hash, problem: { ...parsed.error, path, movedTo: undefined } };
  }
}

async function setCorruptAside<T>(folder: Folder, state: State<T>): Promise<Result<State<T>, DocumentError>> {
  const { problem } = state;
  if (problem?.kind !== "corrupt" || problem.movedTo !== undefined) return ok(state);
  const moved = await folder.setAside(problem.path);
  if (!moved.ok) return err({ kind: "storage", error: moved.error });
  return ok({ value: state.value, hash: null, problem: { ...problem, movedTo: moved.value } });
}
