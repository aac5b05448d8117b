/** What a terminal itself says, in the page's language (the lang attribute of the document). */

export interface TerminalWords {
  readonly pasteLines: (lines: number) => string;
  readonly paste: string;
  readonly cancel: string;
  readonly clipboard: string;
  readonly allow: string;
  readonly refuse: string;
  readonly inputRefused: string;
  readonly dismiss: string;
  readonly find: string;
  readonly previous: string;
  readonly next: string;
  readonly close: string;
  readonly caseSensitive: string;
  readonly matches: (index: number, count: number) => string;
  readonly noMatches: string;
}

const en: TerminalWords = {
  pasteLines: (lines) => `Paste ${lines} lines? The program takes each of them as Enter.`,
  paste: "Paste",
  cancel: "Cancel",
  clipboard: "A program in this terminal wants to copy text to your clipboard.",
  allow: "Allow in this terminal",
  refuse: "Refuse",
  inputRefused: "The program does not read: what you typed or pasted last was not sent.",
  dismiss: "Close",
  find: "Find in this terminal",
  previous: "Previous match",
  next: "Next match",
  close: "Close search",
  caseSensitive: "Match case",
  matches: (index, count) => `${index + 1} of ${count}`,
  noMatches: "No matches",
};

const fr: TerminalWords = {
  pasteLines: (lines) => `Coller ${lines} lignes ? Le programme prend chacune pour Entrée.`,
  paste: "Coller",
  cancel: "Annuler",
  clipboard: "Un programme de ce terminal veut copier du texte dans votre presse-papiers.",
  allow: "Autoriser dans ce terminal",
  refuse: "Refuser",
  inputRefused: "Le programme ne lit pas : votre dernière saisie n’a pas été envoyée.",
  dismiss: "Fermer",
  find: "Rechercher dans ce terminal",
  previous: "Résultat précédent",
  next: "Résultat suivant",
  close: "Fermer la recherche",
  caseSensitive: "Respecter la casse",
  matches: (index, count) => `${index + 1} sur ${count}`,
  noMatches: "Aucun résultat",
};

export function terminalWords(): TerminalWords {
  return document.documentElement.lang === "fr" ? fr : en;
}
