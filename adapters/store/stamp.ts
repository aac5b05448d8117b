/** What tells a file as it is from what it was, without reading it: a change by anybody changes the stamp. */
export function stampOf({ size, mtime, ino }: Deno.FileInfo): string {
  return `${size}:${mtime?.getTime() ?? 0}:${ino ?? 0}`;
}
