/** Which words the page speaks. */
import { en, type Words } from "./en.ts";
import { fr } from "./fr.ts";

export type Language = "en" | "fr";

export const languageNames: Readonly<Record<Language, string>> = { en: en.languageName, fr: fr.languageName };

export function wordsOf(language: Language): Words {
  return language === "fr" ? fr : en;
}

/** The first of the browser's languages that the page speaks; English when it speaks none of them. */
export function pickLanguage(languages: readonly string[]): Language {
  for (const language of languages) {
    const primary = language.toLowerCase().split("-")[0];
    if (primary === "en" || primary === "fr") return primary;
  }
  return "en";
}
