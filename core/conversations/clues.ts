/**
 * What a message says about the work, found by rules: decisions, what is done, what is open, what comes next, and the
 * files it names. English and French. A rule may miss something, and must not make anything up: all it gives are parts
 * of the text.
 */

export interface Clues {
  readonly decisions: readonly string[];
  readonly done: readonly string[];
  readonly open: readonly string[];
  readonly next: readonly string[];
  readonly files: readonly string[];
}

const MAX_STATEMENT_CHARS = 220;
/** Of each kind: a message that lists forty things done says it with the first few. */
const MAX_OF_A_KIND = 6;
/** Longer messages are searched at their beginning and end, where people and models say what matters. */
const MAX_SEARCHED_CHARS = 20_000;

/** What may be true one day says nothing yet. */
const CONDITION = /^(?:if|when|once|unless|as soon as|si|quand|dès que|lorsque|une fois)\b/iu;
const NEXT = /\b(?:next steps?|next,|then we|prochaines? étapes?|à suivre|ensuite|la suite)\b/iu;
const OPEN =
  /\?$|\b(?:to ?do|remaining|left to do|still (?:open|missing|to)|not yet|blocked|blocker|pending|unclear|follow-up|il reste|reste(?:nt)? à|à faire|manquante?s?|bloquée?s?|en attente|pas encore|à trancher)\b/iu;
const DECISION =
  /\b(?:decided|decision|we will use|we use|chosen|chose|choice|agreed|approved|opted|settled on|décidée?s?|décision|retenue?s?|choix|choisie?s?|validée?s?|convenue?s?|tranchée?s?|on garde|on prend)\b/iu;
const DONE =
  /\b(?:done|finished|completed|implemented|fixed|added|removed|renamed|merged|committed|shipped|released|pass(?:es|ed)|green|works|terminée?s?|livrée?s?|corrigée?s?|ajoutée?s?|implémentée?s?|committée?s?|fusionnée?s?|publiée?s?|verte?s?|fonctionne|réussie?s?)\b/iu;
// Each match begins where a token begins: else long tokens, as in encoded data, would be tried from every character.
const FILE =
  /(?<![\w@.-])(?:[\w@.-]+\/)+[\w@.-]*\w|(?<![\w-])[\w-]+\.(?:[cm]?[jt]sx?|rs|py|go|java|kt|swift|c|cc|cpp|h|hpp|cs|rb|php|sh|sql|html|css|scss|vue|svelte|md|json|jsonl|ya?ml|toml|lock|ini|xml)\b/g;
const URL = /\b\w+:\/\/\S+/g;

export function findClues(text: string): Clues {
  const searched = text.length <= MAX_SEARCHED_CHARS
    ? text
    : `${text.slice(0, MAX_SEARCHED_CHARS / 2)}\n${text.slice(-MAX_SEARCHED_CHARS / 2)}`;
  const found = {
    decisions: new Set<string>(),
    done: new Set<string>(),
    open: new Set<string>(),
    next: new Set<string>(),
  };
  for (const statement of statementsOf(searched)) {
    const kind = kindOf(statement);
    if (kind !== undefined && found[kind].size < MAX_OF_A_KIND) {
      found[kind].add(shorten(statement, MAX_STATEMENT_CHARS));
    }
  }
  return {
    decisions: [...found.decisions],
    done: [...found.done],
    open: [...found.open],
    next: [...found.next],
    files: filesIn(searched),
  };
}

function kindOf(statement: string): "decisions" | "done" | "open" | "next" | undefined {
  if (CONDITION.test(statement)) return undefined;
  if (NEXT.test(statement)) return "next";
  if (DECISION.test(statement)) return "decisions";
  if (OPEN.test(statement)) return "open";
  return DONE.test(statement) ? "done" : undefined;
}

/** Lines and sentences, without the marks of Markdown around them. Code blocks are no statements. */
function statementsOf(text: string): readonly string[] {
  return text.replace(/```[\s\S]*?(?:```|$)/g, "\n").split("\n").flatMap((line) =>
    line.replace(/^[\s>#*+-]+|^\s*\d+[.)]\s+/g, "").replaceAll("**", "").split(/(?<=[.!?…])\s+(?=[\p{Lu}«"(])/u)
  ).map((statement) => statement.trim()).filter((statement) => statement.length >= 8);
}

function filesIn(text: string): readonly string[] {
  const named = text.replace(URL, " ").match(FILE) ?? [];
  // What has no extension is rather a manner of writing: "and/or", "24/7", "front/back".
  const files = named.filter((name) => /[\w-]\.[a-z]\w{0,5}$/i.test(name));
  return [...new Set(files)].slice(0, 40);
}

/** At most that many characters, in one line, ending in "…" when something is left out. */
export function shorten(text: string, maxChars: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= maxChars) return line;
  const cut = line.slice(0, Math.max(0, maxChars - 1));
  // Not through the middle of a character of two units.
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut.trimEnd()}…`;
}
