/** Reads the page's files from a folder, as build_ui.ts wrote them. */
import { join, relative } from "node:path";
import type { Asset, Assets } from "./assets.ts";

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

export async function readAssets(folder: string): Promise<Assets> {
  const assets = new Map<string, Asset>();
  for await (const path of filesBelow(folder)) {
    const key = relative(folder, path).replaceAll("\\", "/");
    assets.set(key, { bytes: await Deno.readFile(path), contentType: contentTypeOf(path) });
  }
  return assets;
}

async function* filesBelow(folder: string): AsyncIterable<string> {
  for await (const entry of Deno.readDir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) yield* filesBelow(path);
    else yield path;
  }
}
