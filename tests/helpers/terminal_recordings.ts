/** Recorded output of real programs (tests/fixtures/terminal, made by record.ts there), with its size changes. */
import { gunzipSync } from "node:zlib";

interface Size {
  readonly cols: number;
  readonly rows: number;
}

export interface Recording {
  readonly name: string;
  readonly size: Size;
  readonly bytes: Uint8Array;
  readonly resizes: readonly (Size & { readonly offset: number })[];
}

/** A stretch of output, then a size change at its end, if there is one. */
export interface Stretch {
  readonly bytes: Uint8Array;
  readonly resize?: Size;
}

const FOLDER = new URL("../fixtures/terminal/", import.meta.url);

export function readRecordings(): readonly Recording[] {
  const index: Record<string, Size & { resizes: (Size & { offset: number })[] }> = JSON.parse(
    Deno.readTextFileSync(new URL("index.json", FOLDER)),
  );
  return Object.entries(index).map(([name, { cols, rows, resizes }]) => ({
    name,
    size: { cols, rows },
    bytes: new Uint8Array(gunzipSync(Deno.readFileSync(new URL(`${name}.gz`, FOLDER)))),
    resizes,
  }));
}

export function stretchesOf({ bytes, resizes }: Recording): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let at = 0;
  for (const { offset, cols, rows } of resizes) {
    stretches.push({ bytes: bytes.subarray(at, offset), resize: { cols, rows } });
    at = offset;
  }
  return [...stretches, { bytes: bytes.subarray(at) }];
}
