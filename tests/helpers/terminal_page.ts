/**
 * Terminals of the page on real pseudo-terminals, without the rest of the window: for tests of what a browser draws and
 * sends. The page is tests/helpers/terminal_page_entry.ts, bundled once.
 */
// Before playwright-core: with Deno 2.9.6, @xterm/addon-unicode-graphemes hangs when it is loaded after it.
import { startTerminalServer, type TerminalServer } from "./terminal_server.ts";
import * as esbuild from "esbuild";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { startBrowser, type TestBrowser, type TestPage } from "./browser.ts";
import { waitFor } from "./wait_for.ts";

const ROOT = join(import.meta.dirname ?? "", "../..");
const ENTRY = "tests/helpers/terminal_page_entry.ts";
/** Long, so that a busy machine is no failure. */
export const PATIENCE_MS = 60_000;

export interface TerminalPage extends TerminalServer {
  readonly browser: TestBrowser;
  openPage(): Promise<TestPage>;
}

export async function startTerminalPage(browserArgs: readonly string[]): Promise<TerminalPage> {
  const files = await bundle();
  const server = startTerminalServer((path) => {
    const file = files.get(path);
    return file === undefined
      ? new Response(null, { status: 204 })
      : new Response(file.bytes, { headers: { "content-type": file.type } });
  });
  const browser = await startBrowser(browserArgs);
  return {
    ...server,
    browser,
    async openPage() {
      const opened = await browser.open({ viewport: { width: 1200, height: 700 } });
      await opened.page.goto(server.url);
      return opened;
    },
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** What a person sees of a view, row by row; for pages that draw with the DOM. */
export async function drawn(page: Page, cell: string): Promise<readonly string[]> {
  const rows = await page.locator(`#${cell} .xterm-rows > div`).allInnerTexts();
  return rows.map((row) => row.replaceAll("\u00a0", " ").trimEnd());
}

export async function waitForDrawn(page: Page, cell: string, what: string | RegExp): Promise<void> {
  const matches = (row: string) => typeof what === "string" ? row.includes(what) : what.test(row);
  await waitFor(`${what} in ${cell}`, async () => (await drawn(page, cell)).some(matches), PATIENCE_MS);
}

interface BundledFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

let bundled: Promise<ReadonlyMap<string, BundledFile>> | undefined;

function bundle(): Promise<ReadonlyMap<string, BundledFile>> {
  return bundled ??= makeBundle();
}

async function makeBundle(): Promise<ReadonlyMap<string, BundledFile>> {
  const packages = await linkPackages();
  const { outputFiles } = await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: { page: ENTRY, tokens: "web/ui/styles/tokens.css", terminal: "web/ui/terminal/terminal.css" },
    outdir: "/",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    nodePaths: [packages],
    preserveSymlinks: true,
    write: false,
    logLevel: "silent",
  });
  await esbuild.stop();
  const css = await Deno.readFile(join(packages, "@xterm/xterm/css/xterm.css"));
  await Deno.remove(packages, { recursive: true });
  const files = new Map<string, BundledFile>([["/", { bytes: new TextEncoder().encode(PAGE), type: "text/html" }]]);
  files.set("/xterm.css", { bytes: css, type: "text/css" });
  for (const { path, contents } of outputFiles) {
    files.set(path, { bytes: new Uint8Array(contents), type: path.endsWith(".css") ? "text/css" : "text/javascript" });
  }
  return files;
}

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>terminals</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/xterm.css"><link rel="stylesheet" href="/tokens.css">
<link rel="stylesheet" href="/terminal.css">
<style>
body { margin: 0; background: #0c0e11; }
#grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(220px, 1fr)); grid-auto-rows: minmax(120px, 1fr);
  height: 100vh; gap: 4px; }
#grid:has(> :only-child) { grid-template-columns: 1fr; }
.cell { position: relative; min-width: 0; min-height: 0; overflow: hidden; background: var(--terminal-bg); }
.cell .xterm { height: 100%; }
.cell .xterm-viewport { background: none; }
</style></head><body><div id="grid"></div><script type="module" src="/page.js"></script></body></html>`;

/** esbuild looks for packages in a folder; Deno keeps them in its cache. */
async function linkPackages(): Promise<string> {
  const run = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", ENTRY],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    stderr: "null",
  }).output();
  const info: { npmPackages: Record<string, { name: string; localPath: string }> } = JSON.parse(
    new TextDecoder().decode(run.stdout),
  );
  const folder = await Deno.makeTempDir({ prefix: "idea-terminal-page-" });
  for (const { name, localPath } of Object.values(info.npmPackages)) {
    const link = join(folder, name);
    await Deno.mkdir(join(link, ".."), { recursive: true });
    await Deno.symlink(localPath, link).catch(() => {});
  }
  return folder;
}
