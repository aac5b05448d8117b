/** What the page's files are, by their name: said once, for the bundle that makes them and the server that gives them. */
const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  map: "application/json",
  svg: "image/svg+xml",
  wasm: "application/wasm",
  webmanifest: "application/manifest+json",
  woff2: "font/woff2",
};

export function contentTypeOf(path: string): string {
  return contentTypes[path.split(".").at(-1) ?? ""] ?? "application/octet-stream";
}
