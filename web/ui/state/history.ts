/** What was sent from a composer, to be brought back with the arrow keys, as in a shell. Pure. */

export interface History {
  /** Oldest first. */
  readonly sent: readonly string[];
  /** Undefined: the draft is shown; else the index of the entry that is. */
  readonly at: number | undefined;
  /** What was being written before the arrow was first pressed. */
  readonly draft: string;
}

export const emptyHistory: History = { sent: [], at: undefined, draft: "" };
const MAX_ENTRIES = 200;

export function addSent(history: History, text: string): History {
  const sent = [...history.sent.filter((entry) => entry !== text), text].slice(-MAX_ENTRIES);
  return { sent, at: undefined, draft: "" };
}

export interface Recalled {
  readonly history: History;
  readonly text: string;
}

/** One entry back; undefined when there is none. */
export function recallOlder(history: History, current: string): Recalled | undefined {
  const at = (history.at ?? history.sent.length) - 1;
  const text = history.sent[at];
  if (text === undefined) return undefined;
  return { history: { ...history, at, draft: history.at === undefined ? current : history.draft }, text };
}

/** One entry forward, and after the last one the draft again; undefined when the draft is shown already. */
export function recallNewer(history: History): Recalled | undefined {
  if (history.at === undefined) return undefined;
  const at = history.at + 1;
  const text = history.sent[at];
  return text === undefined
    ? { history: { ...history, at: undefined }, text: history.draft }
    : { history: { ...history, at }, text };
}
