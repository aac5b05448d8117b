/** Finding text in screen and scrollback. */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { SearchAddon } from "@xterm/addon-search";
import type { Terminal } from "@xterm/xterm";

export interface FindQuery {
  readonly text: string;
  readonly caseSensitive?: boolean;
  readonly wholeWord?: boolean;
  readonly regex?: boolean;
}

export interface FindResults {
  /** The one that is selected, from 0; -1 when none is, or when there are too many to count. */
  readonly index: number;
  readonly count: number;
}

export interface Find {
  readonly results: ReadonlySignal<FindResults | undefined>;
  next(query: FindQuery): Promise<boolean>;
  previous(query: FindQuery): Promise<boolean>;
  clear(): void;
}

/** The text of a match keeps its own colour, so what is behind it stays near the theme's background. */
const darkDecorations = {
  matchBackground: "#4a3b12",
  matchOverviewRuler: "#d99e2b",
  activeMatchBackground: "#7a4f00",
  activeMatchColorOverviewRuler: "#ffb454",
};
const lightDecorations = {
  matchBackground: "#ffedb8",
  matchOverviewRuler: "#b27a00",
  activeMatchBackground: "#ffc966",
  activeMatchColorOverviewRuler: "#8f5300",
};

export function createFind(terminal: Terminal): Find {
  const results = signal<FindResults | undefined>(undefined);
  let loaded: Promise<SearchAddon> | undefined;

  const load = async () => {
    const { SearchAddon } = await import("@xterm/addon-search");
    const addon = new SearchAddon();
    terminal.loadAddon(addon);
    addon.onDidChangeResults(({ resultIndex, resultCount }) => {
      results.value = { index: resultIndex, count: resultCount };
    });
    return addon;
  };

  const run = async (query: FindQuery, direction: "findNext" | "findPrevious") => {
    if (query.text === "" || query.regex === true && !isRegex(query.text)) {
      clear();
      return false;
    }
    const addon = await (loaded ??= load());
    const { caseSensitive = false, wholeWord = false, regex = false } = query;
    const isLight = getComputedStyle(document.documentElement).colorScheme === "light";
    const decorations = isLight ? lightDecorations : darkDecorations;
    return addon[direction](query.text, { caseSensitive, wholeWord, regex, decorations });
  };

  function clear(): void {
    results.value = undefined;
    void loaded?.then((addon) => addon.clearDecorations());
    terminal.clearSelection();
  }

  return {
    results,
    next: (query) => run(query, "findNext"),
    previous: (query) => run(query, "findPrevious"),
    clear,
  };
}

function isRegex(text: string): boolean {
  try {
    return new RegExp(text) !== undefined;
  } catch {
    return false;
  }
}
