/** Finding by a few typed letters: every letter must come, in order; starts of words and runs count more. */

/** Higher is better; undefined when it does not match. An empty query matches everything alike. */
export function scoreMatch(query: string, text: string): number | undefined {
  const wanted = normalise(query).replaceAll(/\s+/g, "");
  const letters = normalise(text);
  let score = 0;
  let from = 0;
  let previous = -2;
  for (const letter of wanted) {
    const at = bestNext(letters, letter, { from, previous });
    if (at < 0) return undefined;
    score += at === previous + 1 ? 3 : isWordStart(letters, at) ? 2 : 0.2;
    previous = at;
    from = at + 1;
  }
  return score - letters.length / 1_000;
}

/** The letter right after the one before, else at the start of a word, else anywhere. */
function bestNext(letters: string, letter: string, at: { readonly from: number; readonly previous: number }): number {
  if (letters[at.previous + 1] === letter) return at.previous + 1;
  const first = letters.indexOf(letter, at.from);
  for (let index = first; index >= 0; index = letters.indexOf(letter, index + 1)) {
    if (isWordStart(letters, index)) return index;
  }
  return first;
}

function isWordStart(letters: string, at: number): boolean {
  return at === 0 || /[\s/._:-]/.test(letters[at - 1] ?? " ");
}

/** "Élan" is found by "elan". */
function normalise(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

export function searchBy<T>(items: readonly T[], query: string, textOf: (item: T) => string): readonly T[] {
  if (query.trim() === "") return items;
  return items
    .flatMap((item) => {
      const score = scoreMatch(query, textOf(item));
      return score === undefined ? [] : [{ item, score }];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}
