/** Files dropped on a terminal become their paths, pasted. */
import { pathsOfUriList, quotePath } from "./quote_path.ts";

export interface DropOptions {
  readonly paste: (text: string) => void;
  /** The page knows no paths of files; whoever can find or store them says where they are. */
  readonly pathsOf: ((files: readonly File[]) => Promise<readonly string[]>) | undefined;
}

export function acceptDrops(element: HTMLElement, options: DropOptions): Disposable {
  // Cells and agents are dragged over terminals too: those are no files and are left to the grid.
  const hasFiles = (event: DragEvent) =>
    event.dataTransfer?.types.some((type) => type === "Files" || type === "text/uri-list") === true;
  const onDragOver = (event: DragEvent) => {
    if (hasFiles(event)) event.preventDefault();
  };
  const onDrop = (event: DragEvent) => {
    const { dataTransfer } = event;
    if (dataTransfer === null || !hasFiles(event)) return;
    event.preventDefault();
    const known = pathsOfUriList(dataTransfer.getData("text/uri-list"));
    const files = [...dataTransfer.files];
    void findPaths(known, files).then((paths) => {
      // A line break in a name would be Enter in the middle of it.
      const safe = paths.filter((path) => !/[\u0000-\u001f\u007f]/.test(path));
      if (safe.length > 0) options.paste(`${safe.map(quotePath).join(" ")} `);
    });
  };

  async function findPaths(known: readonly string[], files: readonly File[]): Promise<readonly string[]> {
    if (known.length > 0) return known;
    return files.length > 0 && options.pathsOf !== undefined ? await options.pathsOf(files) : [];
  }

  element.addEventListener("dragover", onDragOver);
  element.addEventListener("drop", onDrop);
  return {
    [Symbol.dispose]() {
      element.removeEventListener("dragover", onDragOver);
      element.removeEventListener("drop", onDrop);
    },
  };
}
