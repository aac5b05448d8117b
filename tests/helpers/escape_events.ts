/** The calls of a scanner as lines of text: `csi ?25h`, `osc 2 title bel`. */
import type { CsiParams } from "../../core/terminals/csi_params.ts";
import { createEscapeScanner, type EscapeScanner } from "../../core/terminals/escape_scanner.ts";
import { createLineCounters, type LineCounters } from "../../core/terminals/line_counters.ts";

export interface HeardScanner {
  readonly scanner: EscapeScanner;
  readonly counters: LineCounters;
  /** Since the last call. */
  take(): string[];
}

function nameOf(ident: number): string {
  return [24, 16, 8, 0].map((shift) => (ident >>> shift) & 0xff).filter((code) => code > 0)
    .map((code) => String.fromCharCode(code)).join("");
}

function paramsText(params: CsiParams): string {
  return Array.from(
    { length: params.count },
    (_, index) => [params.at(index), ...params.subParams(index)].join(":"),
  ).join(";");
}

export function listen(changes: Partial<LineCounters> = {}): HeardScanner {
  let events: string[] = [];
  const counters: LineCounters = {
    ...createLineCounters({ cols: 80, rows: 24 }),
    nextPointOffset: Infinity,
    ...changes,
  };
  const scanner = createEscapeScanner({
    counters,
    control: (code) => void events.push(`control ${code}`),
    escape: (ident) => void events.push(`escape ${nameOf(ident)}`),
    csi: (ident, params) => void events.push(`csi ${paramsText(params)} ${nameOf(ident)}`),
    osc: (id, payload, end) => void events.push(`osc ${id} ${payload} ${end}`),
    dcs: (ident, payload) => void events.push(`dcs ${nameOf(ident)} ${payload}`),
    lineStarted: (offset) => void events.push(`line ${offset}`),
  });
  return {
    scanner,
    counters,
    take() {
      const taken = events;
      events = [];
      return taken;
    },
  };
}
