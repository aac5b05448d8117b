/** A path as one word of a shell, for a file that is dropped on a terminal. */

/** Windows' shells know no single quotes; elsewhere nothing but a quote means anything within them. */
export function quotePath(path: string): string {
  if (/^[\w./@%+=,~-]+$/.test(path)) return path;
  if (/^[A-Za-z]:\\|^\\\\/.test(path)) return `"${path}"`;
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

/** text/uri-list, as file managers give it: paths of its file: addresses. */
export function pathsOfUriList(list: string): readonly string[] {
  return list.split(/\r?\n/).flatMap((line) => {
    const url = line.startsWith("#") ? undefined : parseUrl(line);
    if (url?.protocol !== "file:") return [];
    try {
      const path = decodeURIComponent(url.pathname);
      return [/^\/[A-Za-z]:\//.test(path) ? path.slice(1).replaceAll("/", "\\") : path];
    } catch {
      return [];
    }
  });
}

export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
