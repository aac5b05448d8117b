/** The folders of this machine by name, for the dialog that picks a project's root; never contents of files. */
import type { Result } from "../result.ts";

export interface BrowsedFolder {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** It has an `.ideai/`. */
  readonly isProject: boolean;
  readonly isHidden: boolean;
}

export interface FolderListing {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** Left out at the root of the file system. */
  readonly parent?: string;
  readonly home: string;
  /** Sorted by name, projects and plain folders alike, hidden ones last. */
  readonly folders: readonly BrowsedFolder[];
}

export type BrowseFolderError =
  | { readonly kind: "folderNotFound"; readonly path: string }
  | { readonly kind: "folderNotReadable"; readonly path: string };

export interface FolderBrowser {
  /** The home folder when no path is given. A relative path counts from there. */
  list(path: string | undefined): Promise<Result<FolderListing, BrowseFolderError>>;
}
