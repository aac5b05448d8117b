/**
 * The page's files, handed in from memory. Names that carry a hash of their content are kept by the browser for ever;
 * the rest is asked for again and answered by 304 while unchanged.
 */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

export interface Asset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
}

/** By path without leading slash; "index.html" is served at "/". */
export type Assets = ReadonlyMap<string, Asset>;

interface Prepared {
  readonly asset: Asset;
  readonly etag: string;
  readonly gzip: Uint8Array<ArrayBuffer> | undefined;
}

const HASHED_NAME = /[-.][A-Za-z0-9_]{8,}\.[a-z0-9]+$/;
const COMPRESSIBLE = /^(text\/|application\/(javascript|json|manifest\+json)|image\/svg)/;
const MIN_GZIP_BYTES = 1_024;

export interface AssetServer {
  serve(request: Request): Response | undefined;
}

export function createAssetServer(assets: Assets): AssetServer {
  const prepared = new Map<string, Prepared>();

  function prepare(path: string): Prepared | undefined {
    const known = prepared.get(path);
    if (known !== undefined) return known;
    const asset = assets.get(path);
    if (asset === undefined) return undefined;
    const etag = `"${createHash("sha256").update(asset.bytes).digest("base64url").slice(0, 22)}"`;
    const compress = COMPRESSIBLE.test(asset.contentType) && asset.bytes.length >= MIN_GZIP_BYTES;
    const fresh = { asset, etag, gzip: compress ? new Uint8Array(gzipSync(asset.bytes)) : undefined };
    prepared.set(path, fresh);
    return fresh;
  }

  return {
    serve(request) {
      const path = new URL(request.url).pathname.slice(1) || "index.html";
      const found = prepare(path);
      if (found === undefined) return undefined;
      const { asset, etag, gzip } = found;
      const headers = new Headers({
        "content-type": asset.contentType,
        "cache-control": HASHED_NAME.test(path) ? "private, max-age=31536000, immutable" : "private, no-cache",
        etag,
        vary: "accept-encoding",
      });
      if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
      const acceptsGzip = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
      if (gzip === undefined || !acceptsGzip) return new Response(asset.bytes, { headers });
      headers.set("content-encoding", "gzip");
      return new Response(gzip, { headers });
    },
  };
}
