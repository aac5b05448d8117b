/** Theme, language and terminal text: kept by the server, mirrored in the window so that the first paint has them. */
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ApiClient, ApiError } from "../../api/client.ts";
import type { Words } from "../words/en.ts";
import { type Language, pickLanguage, wordsOf } from "../words/words.ts";
import { remembered, type WindowMemory } from "./memory.ts";
import type { Settings } from "./views.ts";

export type Theme = "dark" | "light";

export interface SettingsState {
  readonly values: ReadonlySignal<Settings>;
  readonly theme: ReadonlySignal<Theme>;
  readonly language: ReadonlySignal<Language>;
  readonly words: ReadonlySignal<Words>;
  load(): Promise<void>;
  /** Shown at once; taken back when the server refuses. */
  change(change: Settings): Promise<void>;
}

export interface SettingsOptions {
  readonly api: ApiClient;
  readonly memory: WindowMemory;
  readonly onError: (error: ApiError) => void;
  /** The browser's languages, the preferred first. */
  readonly languages: readonly string[];
  readonly systemIsLight: Signal<boolean>;
}

export function createSettings(options: SettingsOptions): SettingsState {
  const { api, memory, onError, languages, systemIsLight } = options;
  const mirror = remembered(memory, "settings");
  const values = signal<Settings>(parseMirror(mirror.value));
  const show = (settings: Settings) => {
    values.value = settings;
    mirror.value = JSON.stringify({ theme: settings.theme, language: settings.language });
  };
  const language = computed(() => {
    const chosen = values.value.language;
    return chosen === "en" || chosen === "fr" ? chosen : pickLanguage(languages);
  });
  return {
    values,
    theme: computed(() => {
      const chosen = values.value.theme;
      return chosen === "dark" || chosen === "light" ? chosen : systemIsLight.value ? "light" : "dark";
    }),
    language,
    words: computed(() => wordsOf(language.value)),
    async load() {
      const result = await api.call("GET /api/settings");
      if (result.ok) show(result.value);
      else onError(result.error);
    },
    async change(change) {
      const before = values.value;
      show({ ...before, ...change });
      const result = await api.call("PATCH /api/settings", { body: change });
      if (result.ok) return show(result.value);
      show(before);
      onError(result.error);
    },
  };
}

function parseMirror(text: string | undefined): Settings {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return {};
    const theme = "theme" in value ? value.theme : undefined;
    const language = "language" in value ? value.language : undefined;
    return {
      ...(theme === "dark" || theme === "light" || theme === "system" ? { theme } : {}),
      ...(language === "en" || language === "fr" || language === "auto" ? { language } : {}),
    };
  } catch {
    return {};
  }
}
