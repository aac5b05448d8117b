/** Finding by a few typed letters: each typed word as it stands first, else its letters in order. */

/** Higher is better; undefined when it does not match. An empty query matches everything alike. */
export function scoreMatch(query: string, text: string): number | undefined {
  const letters = normalise(text);
  let score = 0;
  for (const word of normalise(query).split(/\s+/).filter((part) => part !== "")) {
    const found = scoreWord(word, letters);
    if (found === undefined) return undefined;
    score += found;
  }
  return score;
}

function scoreWord(word: string, letters: string): number | undefined {
  const starts = placesOf(word, letters);
  if (starts.some((at) => isWordStart(letters, at))) return 3;
  if (starts.length > 0) return 2;
  return hasInOrder(word, letters) ? 1 : undefined;
}

function placesOf(word: string, letters: string): readonly number[] {
  const places: number[] = [];
  for (let at = letters.indexOf(word); at >= 0; at = letters.indexOf(word, at + 1)) places.push(at);
  return places;
}

function hasInOrder(word: string, letters: string): boolean {
  let from = 0;
  for (const letter of word) {
    const at = letters.indexOf(letter, from);
    if (at < 0) return false;
    from = at + 1;
  }
  return true;
}

function isWordStart(letters: string, at: number): boolean {
  return at === 0 || /[\s/._:-]/.test(letters[at - 1] ?? " ");
}

/** "Élan" is found by "elan". */
function normalise(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

/** The best first; what matches alike keeps its order. */
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
