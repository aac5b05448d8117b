import assert from "node:assert/strict";
import plugin from "./lint_plugin.ts";

/** The rules that complain about this text in this file, one entry a complaint. */
function complaints(file: string, source: string): readonly string[] {
  return Deno.lint.runPlugin(plugin, file, source).map((found) => found.id.replace("idea/", ""));
}

Deno.test("import-direction: every form of import is looked at", () => {
  const forms = [
    `import { a } from "../ports/clock.ts"; a();`,
    `import type { A } from "../ports/clock.ts"; export type B = A;`,
    `export { a } from "../ports/clock.ts"; export const b = 1;`,
    `export const a = await import("../ports/clock.ts");`,
    `export type A = import("../ports/clock.ts").A;`,
    `import "../ports/clock.ts"; export const a = 1;`,
  ];
  for (const form of forms) assert.deepEqual(complaints("core/layout/split.ts", form), ["import-direction"], form);
  for (const form of forms) assert.deepEqual(complaints("core/app/layouts.ts", form), [], form);
});

Deno.test("import-direction: an inline type import still loads the file at run time", () => {
  const inline = `import { type A } from "../api/agents.ts"; export type B = A;`;
  assert.deepEqual(complaints("web/ui/page.ts", inline), ["import-direction"]);
  assert.deepEqual(complaints("web/ui/page.ts", inline.replace("{ type A }", "type { A }")), []);
});

Deno.test("import-direction: packages by the names of deno.json, each in its home", () => {
  assert.deepEqual(complaints("core/layout/split.ts", `import { z } from "zod"; z();`), []);
  assert.deepEqual(complaints("core/layout/split.ts", `import { join } from "node:path"; join();`), [
    "import-direction",
  ]);
  assert.deepEqual(complaints("cli/help.ts", `import a from "npm:a@1.0.0"; a();`), ["import-direction"]);
});

Deno.test("import-direction: a path given absolutely is the same file", () => {
  const file = new URL("../../core/layout/split.ts", import.meta.url);
  assert.deepEqual(complaints(decodeURIComponent(file.pathname), `import "../app/agents.ts";`), ["import-direction"]);
});

Deno.test("no-barrel: neither export * nor a file of nothing but re-exports", () => {
  assert.deepEqual(complaints("core/app/app.ts", `export * from "./agents.ts"; export const a = 1;`), ["no-barrel"]);
  assert.deepEqual(complaints("core/app/app.ts", `export { a } from "./agents.ts";`), ["no-barrel"]);
  assert.deepEqual(complaints("core/app/app.ts", `export { a } from "./agents.ts"; export const b = 1;`), []);
});

Deno.test("pure-core: no clock, no randomness, no way around the lib", () => {
  const impure = [
    `export const a = Date.now();`,
    `export const a = new Date();`,
    `export const a = Date();`,
    `export const a = Math.random();`,
    `export const a = Temporal.Now.instant();`,
    `export const a = globalThis.setTimeout;`,
    `/// <reference lib="dom" />\nexport const a = 1;`,
  ];
  for (const source of impure) assert.deepEqual(complaints("core/limits/reset.ts", source), ["pure-core"], source);
  for (const source of impure) assert.deepEqual(complaints("adapters/clock/clock.ts", source), [], source);
  assert.deepEqual(complaints("core/limits/reset.ts", `export const a = new Date(0); Date.UTC(2026, 1);`), []);
});

Deno.test("no-type-assertion: in codecs, ids and tests only", () => {
  const asserting = [`export const a = b as string;`, `export const a = <string> b;`];
  for (const source of asserting) {
    assert.deepEqual(complaints("core/app/app.ts", source), ["no-type-assertion"], source);
    assert.deepEqual(complaints("core/ids.ts", source), [], source);
    assert.deepEqual(complaints("core/layout/codec.ts", source), [], source);
    assert.deepEqual(complaints("core/layout/tree_codec.ts", source), [], source);
    assert.deepEqual(complaints("tests/core/app.test.ts", source), [], source);
  }
  assert.deepEqual(complaints("core/app/app.ts", `export const a = ["x"] as const; export { a as b };`), []);
  assert.deepEqual(complaints("core/layout/mycodec.ts", asserting[0] ?? ""), ["no-type-assertion"]);
});

Deno.test("plain-names: of types, functions, files and folders", () => {
  const vague = [
    `export class AgentManager {}`,
    `export interface IAgent { a: 1 }`,
    `export type AgentService = 1;`,
    `export function layoutUtils() {}`,
    `export class PtyImpl {}`,
  ];
  for (const source of vague) assert.deepEqual(complaints("core/app/app.ts", source), ["plain-names"], source);
  assert.deepEqual(
    complaints("core/app/app.ts", `export interface IdeaEvent { a: 1 } export interface Images { a: 1 }`),
    [],
  );
  for (
    const file of ["core/common/a.ts", "core/layout/utils.ts", "core/layout/splitPane.ts", "web/ui/components/cell.tsx"]
  ) {
    assert.deepEqual(complaints(file, `export const a = 1;`), ["plain-names"], file);
  }
  for (const file of ["core/layout/split.ts", "web/ui/components/CellHeader.tsx", "tests/helpers/random.ts"]) {
    assert.deepEqual(complaints(file, `export const a = 1;`), [], file);
  }
});

Deno.test("one-process-door: programs are started by adapters/process alone", () => {
  const source = `export const a = new Deno.Command("git");`;
  assert.deepEqual(complaints("adapters/git/run.ts", source), ["one-process-door"]);
  assert.deepEqual(complaints("cli/start.ts", source), ["one-process-door"]);
  assert.deepEqual(complaints("adapters/process/run.ts", source), []);
  assert.deepEqual(complaints("build.ts", source), []);
});
