/**
 * The colours of the person's terminals outlive the window that told them: programs ask when they start, which may be
 * before any window is there, and what they are told then decides whether their text can be read later.
 */
import { z } from "zod";
import type { TerminalColors } from "../ports/terminal_state.ts";
import type { Settings } from "./app.ts";
import type { Terminals } from "./terminals.ts";

const SETTING = "terminalColors";
const Color = z.string().regex(/^#[0-9a-f]{6}$/i);
const ColorsSchema = z.object({
  foreground: Color,
  background: Color,
  cursor: Color,
  palette: z.array(Color).max(16),
});

/** The terminals, with the colours that were last seen. */
export function keepColors(terminals: Terminals, settings: Settings): Terminals {
  const kept = ColorsSchema.safeParse(settings.read()[SETTING]);
  let last = "";
  const set = (colors: TerminalColors) => {
    last = JSON.stringify(colors);
    terminals.setColors(colors);
  };
  if (kept.success) set(kept.data);
  return {
    ...terminals,
    setColors(colors) {
      if (JSON.stringify(colors) === last) return;
      set(colors);
      // Not written: the next window tells them again.
      void settings.change({ [SETTING]: colors });
    },
  };
}
