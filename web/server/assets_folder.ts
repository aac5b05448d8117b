/** Reads the page's files from a folder, as build_ui.ts wrote them. */
import { join, relative } from "node:path";
import { contentTypeOf } from "../api/content_types.ts";
import type { Asset, Assets } from "./assets.ts";

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
