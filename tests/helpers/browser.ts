/**
 * A real Chromium for tests of the page. What the page says is wrong (uncaught errors, console errors) is collected, so
 * that a test can demand that there was nothing.
 */
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { chromium as chromiumNeed, pathOf } from "./requires.ts";

export interface TestPage {
  readonly page: Page;
  /** Uncaught errors and console errors so far. */
  readonly errors: readonly string[];
}

export interface TestBrowser extends AsyncDisposable {
  readonly browser: Browser;
  /** A page in a context of its own: no cookies, nothing remembered. */
  open(options?: BrowserContextOptions): Promise<TestPage>;
}

/** Well above what a slow machine needs, so that a page that hangs fails instead of hanging the test. */
const TIMEOUT_MS = 30_000;

export async function startBrowser(args: readonly string[] = []): Promise<TestBrowser> {
  const browser = await chromium.launch({
    executablePath: pathOf(chromiumNeed()),
    // In CI everything runs as root, where Chromium has no sandbox of its own.
    args: ["--no-sandbox", ...args],
  });
  return {
    browser,
    async open(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US", ...options });
      context.setDefaultTimeout(TIMEOUT_MS);
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error") errors.push(message.text());
      });
      return { page, errors };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** Without WebGL, which a machine without a graphics card draws so slowly that other tests suffer. */
export const WITHOUT_GPU: readonly string[] = ["--disable-gpu", "--disable-3d-apis"];
