/** Files of a project for a person to look at, as programs name them in their output; never written. */
import type { Result } from "../result.ts";

export interface ReadProjectFile {
  /** As it was printed: absolute, from the home folder (`~/`), or relative to one of bases. */
  readonly path: string;
  /** Absolute; the first in which there is such a file. */
  readonly bases: readonly string[];
  /** Absolute: the file must really lie in there once symbolic links are resolved. */
  readonly within: string;
}

export interface ProjectFile {
  /** Relative to `within`, with "/". */
  readonly path: string;
  readonly text: string;
}

export type ProjectFileError =
  | { readonly kind: "fileNotFound"; readonly path: string }
  | { readonly kind: "fileOutsideProject"; readonly path: string }
  | { readonly kind: "fileNotReadable"; readonly path: string }
  | { readonly kind: "fileNotText"; readonly path: string }
  | { readonly kind: "fileTooLarge"; readonly path: string; readonly sizeBytes: number; readonly limitBytes: number };

export interface ProjectFiles {
  read(request: ReadProjectFile): Promise<Result<ProjectFile, ProjectFileError>>;
}
