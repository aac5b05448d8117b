import assert from "node:assert/strict";
import { layerOf, whyForbidden, whyPackageForbidden } from "./layers.ts";

const allowed: readonly [from: string, to: string][] = [
  ["core/layout/split.ts", "core/ids.ts"],
  ["core/layout/split.ts", "core/result.ts"],
  ["core/orchestration/mediator.ts", "core/agents/manifest.ts"],
  ["core/ports/pty.ts", "core/result.ts"],
  ["core/events.ts", "core/ports/pty.ts"],
  ["core/app/agents.ts", "core/ports/clock.ts"],
  ["core/app/agents.ts", "core/events.ts"],
  ["adapters/pty/unix.ts", "core/ports/pty.ts"],
  ["adapters/git/run.ts", "adapters/process/run.ts"],
  ["adapters/git/run.ts", "adapters/git/args.ts"],
  ["mcp/server.ts", "core/app/app.ts"],
  ["web/server/server.ts", "mcp/server.ts"],
  ["web/server/routes/agents.ts", "web/api/agents.ts"],
  ["web/ui/state/layout.ts", "core/layout/split.ts"],
  ["cli/command_line.ts", "adapters/webview/open.ts"],
  ["build_ui.ts", "web/api/content_types.ts"],
  ["main.ts", "cli/command_line.ts"],
  ["tests/e2e/window.test.ts", "main.ts"],
];

const forbidden: readonly [from: string, to: string][] = [
  ["core/ids.ts", "core/layout/split.ts"],
  ["core/layout/split.ts", "core/ports/clock.ts"],
  ["core/layout/split.ts", "core/app/agents.ts"],
  ["core/layout/split.ts", "core/events.ts"],
  ["core/ports/pty.ts", "core/app/agents.ts"],
  ["core/app/agents.ts", "adapters/pty/unix.ts"],
  ["adapters/git/run.ts", "adapters/pty/unix.ts"],
  ["adapters/process/run.ts", "adapters/git/run.ts"],
  ["adapters/git/run.ts", "web/server/server.ts"],
  ["mcp/server.ts", "adapters/store/json.ts"],
  ["mcp/server.ts", "web/server/server.ts"],
  ["web/server/server.ts", "adapters/store/json.ts"],
  ["web/server/server.ts", "web/ui/page.tsx"],
  ["web/ui/state/agents.ts", "core/app/agents.ts"],
  ["web/ui/state/agents.ts", "core/ports/clock.ts"],
  ["web/ui/state/agents.ts", "web/server/server.ts"],
  ["cli/command_line.ts", "main.ts"],
  ["build_ui.ts", "web/server/assets.ts"],
  ["cli/command_line.ts", "tests/helpers/random.ts"],
  ["main.ts", "tests/helpers/random.ts"],
  ["core/layout/split.ts", "lib/anything.ts"],
  ["scripts/x.ts", "core/ids.ts"],
];

Deno.test("layers: every import the architecture allows passes, also of values", () => {
  for (const [from, to] of allowed) assert.equal(whyForbidden({ from, to, typeOnly: false }), undefined);
});

Deno.test("layers: every import against the direction is refused, also of types", () => {
  for (const [from, to] of forbidden) {
    assert.notEqual(whyForbidden({ from, to, typeOnly: true }), undefined, `${from} → ${to}`);
  }
});

Deno.test("layers: the page takes types of the HTTP door, and no values but its client", () => {
  const fact = { from: "web/ui/state/agents.ts", to: "web/api/agents.ts" };
  assert.equal(whyForbidden({ ...fact, typeOnly: true }), undefined);
  assert.match(whyForbidden({ ...fact, typeOnly: false }) ?? "", /types .* only/);
  assert.equal(whyForbidden({ from: fact.from, to: "web/api/client.ts", typeOnly: false }), undefined);
});

Deno.test("layers: a file that no layer claims is in none", () => {
  assert.deepEqual(["lib/a.ts", "web/a.ts", "server.ts"].map(layerOf), [undefined, undefined, undefined]);
  assert.equal(layerOf("build_ui.ts"), "build");
});

Deno.test("packages: core has zod alone, each of the others its home", () => {
  const refused = (from: string, name: string) => whyPackageForbidden(from, name) !== undefined;
  assert.equal(refused("core/profiles/profile.ts", "zod"), false);
  assert.equal(refused("core/profiles/profile.ts", "node:path"), true);
  assert.equal(refused("core/app/app.ts", "hono"), true);
  assert.equal(refused("web/ui/terminal/view.ts", "@xterm/xterm"), false);
  assert.equal(refused("web/ui/components/Cell.tsx", "@xterm/xterm"), true);
  assert.equal(refused("adapters/terminal_state/state.ts", "@xterm/addon-serialize"), false);
  assert.equal(refused("adapters/terminal_state/state.ts", "@xterm/addon-webgl"), true);
  assert.equal(refused("adapters/terminal_state/state.ts", "@xterm/addon-unicode-graphemes"), false);
  assert.equal(refused("web/ui/state/agents.ts", "node:path"), true);
  assert.equal(refused("adapters/git/run.ts", "node:child_process"), true);
  assert.equal(refused("cli/command_line.ts", "npm:yargs@17"), true);
  assert.equal(refused("cli/command_line.ts", "node:util"), false);
  assert.equal(refused("main.ts", "playwright-core"), true);
});
