/**
 * Follows the file to which a CLI's hooks append a line each. The file is emptied at launch and belongs to the run, so a
 * line is new when it is beyond those already heard.
 */
import type { Folder } from "../ports/folder.ts";

export interface HookFeed extends Disposable {
  /** Reads now: for a moment at which a line must be there although the watcher has not said so yet. */
  refresh(): Promise<void>;
}

export function followHooks(
  options: { readonly folder: Folder; readonly path: string; readonly onLine: (line: string) => void },
): HookFeed {
  const { folder, path, onLine } = options;
  let heard = 0;
  let disposed = false;
  let reading: Promise<void> = Promise.resolve();

  async function read(): Promise<void> {
    const file = await folder.readText(path);
    if (!file.ok || file.value === undefined || disposed) return;
    // The last piece is empty, or a line that is still being written.
    const lines = file.value.text.split("\n").slice(0, -1);
    const fresh = lines.slice(heard);
    heard = lines.length;
    for (const line of fresh) if (line.trim() !== "") onLine(line);
  }

  const refresh = () => reading = reading.then(read);
  const watching = folder.watch((paths) => {
    if (paths.includes(path)) void refresh();
  });
  return {
    refresh,
    [Symbol.dispose]() {
      disposed = true;
      watching[Symbol.dispose]();
    },
  };
}
