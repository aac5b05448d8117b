import assert from "node:assert/strict";
import type { Settings, SettingsValues } from "../../core/app/app.ts";
import { keepColors } from "../../core/app/terminal_colors.ts";
import type { Terminals } from "../../core/app/terminals.ts";
import type { TerminalColors } from "../../core/ports/terminal_state.ts";
import { ok } from "../../core/result.ts";

const light: TerminalColors = { foreground: "#000000", background: "#ffffff", cursor: "#000000", palette: [] };

function setup(stored: SettingsValues) {
  const told: TerminalColors[] = [];
  let values = stored;
  const settings: Settings = {
    read: () => values,
    change: (changes) => {
      values = { ...values, ...changes };
      return Promise.resolve(ok(values));
    },
  };
  const terminals = { setColors: (colors: TerminalColors) => void told.push(colors) } as unknown as Terminals;
  return { kept: keepColors(terminals, settings), told, values: () => values };
}

Deno.test("terminal colours: the window's are kept, and hold for programs that start before the next window", () => {
  const first = setup({});
  assert.deepEqual(first.told, []);
  first.kept.setColors(light);
  assert.deepEqual(setup(first.values()).told, [light]);
});

Deno.test("terminal colours: told again, they are neither passed on nor written again", () => {
  const { kept, told, values } = setup({});
  kept.setColors(light);
  const written = values();
  kept.setColors({ ...light });
  assert.equal(told.length, 1);
  assert.equal(values(), written);
});

Deno.test("terminal colours: what is no colour is left alone", () => {
  assert.deepEqual(setup({ terminalColors: { foreground: "red" } }).told, []);
});
