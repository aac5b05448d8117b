/** Output read for what is known of it: facts, answers and signals, without any screen. */
import { createEscapeScanner, type EscapeScanner } from "../../core/terminals/escape_scanner.ts";
import type { TerminalSize } from "../../core/terminals/known_state.ts";
import type { TerminalSignal } from "../../core/terminals/signals.ts";
import { createTerminalFacts, type TerminalFacts } from "../../core/terminals/terminal_facts.ts";

export interface TrackedOutput {
  readonly facts: TerminalFacts;
  readonly scanner: EscapeScanner;
  readonly answers: string[];
  readonly signals: TerminalSignal[];
  /** Cursors that were restored: where they were saved, and whether the screen may have scrolled since. */
  readonly restored: (readonly [savedOffset: number, mayHaveScrolled: boolean])[];
  write(output: string | Uint8Array): void;
  offset(): number;
}

export interface TrackOptions {
  readonly size?: TerminalSize;
  readonly scrollback?: number;
  readonly pointDistanceBytes?: number;
  readonly cursor?: { readonly col: number; readonly row: number };
}

const encoder = new TextEncoder();

export function trackOutput(output: string, options: TrackOptions = {}): TrackedOutput {
  const answers: string[] = [];
  const signals: TerminalSignal[] = [];
  const restored: (readonly [number, boolean])[] = [];
  let offset = 0;
  const facts = createTerminalFacts({
    size: options.size ?? { cols: 10, rows: 4 },
    scrollback: options.scrollback ?? 0,
    pointDistanceBytes: options.pointDistanceBytes ?? 0,
    onSignal: (signal) => void signals.push(signal),
    answer: (reply) => void answers.push(reply),
    cursor: () => options.cursor ?? { col: 0, row: 0 },
    position: () => scanner.position(),
    onRestored: (savedOffset, mayHaveScrolled) => void restored.push([savedOffset, mayHaveScrolled]),
  });
  const scanner = createEscapeScanner(facts);
  const tracked: TrackedOutput = {
    facts,
    scanner,
    answers,
    signals,
    restored,
    write(more) {
      const bytes = typeof more === "string" ? encoder.encode(more) : more;
      facts.beginWrite();
      scanner.scan(bytes, offset);
      offset += bytes.length;
    },
    offset: () => offset,
  };
  tracked.write(output);
  return tracked;
}
