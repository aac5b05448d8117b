import assert from "node:assert/strict";
import { type Machine, planWindow } from "../../adapters/webview/plan.ts";

const URL = "http://127.0.0.1:1/?code=c";

function plan(machine: Partial<Machine> & { readonly programs?: readonly string[] }) {
  const { programs = ["chromium", "xdg-open", "wslview", "helper"], ...rest } = machine;
  const find = (program: string) => programs.includes(program) ? `/bin/${program}` : undefined;
  return planWindow(URL, { os: "linux", env: {}, isRoot: false, find, ...rest }, "/data/window");
}

Deno.test("window: a browser in app mode with a profile of our own, then the person's browser", () => {
  assert.deepEqual(plan({ env: { DISPLAY: ":0" } }), [
    {
      kind: "app",
      argv: [
        ...["/bin/chromium", `--app=${URL}`, "--user-data-dir=/data/window"],
        ...["--no-first-run", "--no-default-browser-check", "--disable-sync"],
      ],
    },
    { kind: "browser", argv: ["xdg-open", URL] },
  ]);
  const [asRoot] = plan({ env: { WAYLAND_DISPLAY: "w" }, isRoot: true });
  assert.ok(asRoot?.argv.includes("--no-sandbox"));
  assert.deepEqual(plan({ env: { DISPLAY: ":0" }, programs: [] }), []);
});

Deno.test("window: nothing where nobody could see it", () => {
  const hidden = [{}, { CI: "true", DISPLAY: ":0" }, { SSH_CONNECTION: "x", DISPLAY: ":0" }, { SSH_TTY: "/dev/pts/1" }];
  for (const env of hidden) assert.deepEqual(plan({ env }), [], JSON.stringify(env));
});

Deno.test("window: over SSH a remote editor's helper shows the page where the person sits", () => {
  const browsers = plan({ env: { SSH_CONNECTION: "x", BROWSER: "helper" } });
  assert.deepEqual(browsers, [{ kind: "browser", argv: ["helper", URL] }, {
    kind: "browser",
    argv: ["xdg-open", URL],
  }]);
});

Deno.test("window: in WSL the page opens in Windows", () => {
  const [first] = plan({ env: { WSL_DISTRO_NAME: "Debian" } });
  assert.deepEqual(first, { kind: "browser", argv: ["wslview", URL] });
});

Deno.test("window: each system's own way comes last", () => {
  assert.deepEqual(plan({ os: "macos", programs: [] }), [{ kind: "browser", argv: ["open", URL] }]);
  const edge = "C:\\P\\Microsoft\\Edge\\Application\\msedge.exe";
  const windows = plan({ os: "windows", env: { ProgramFiles: "C:\\P" }, programs: [edge] });
  assert.deepEqual(windows.map(({ kind }) => kind), ["app", "browser"]);
  assert.deepEqual(windows[1]?.argv, ["rundll32", "url.dll,FileProtocolHandler", URL]);
});
