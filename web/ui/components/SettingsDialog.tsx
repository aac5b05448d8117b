/** Settings: how the window looks and speaks, the profiles, the keys. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { listCommands } from "../interactions/commands.ts";
import { DEFAULT_FONT_PX } from "../interactions/terminal_host.ts";
import type { SettingsPage } from "../state/view.ts";
import type { Settings } from "../state/views.ts";
import { type Language, languageNames } from "../words/words.ts";
import { useStore, useWords } from "./context.ts";
import { KeyCaps } from "./KeyCaps.tsx";
import { Logo } from "./Logo.tsx";
import { Modal } from "./Modal.tsx";
import { ProfilesSettings } from "./ProfilesSettings.tsx";

const pages: readonly SettingsPage[] = ["general", "profiles", "shortcuts", "about"];

export function SettingsDialog(
  { page, onClose }: { readonly page: SettingsPage; readonly onClose: () => void },
): JSX.Element {
  const { view } = useStore();
  const words = useWords();
  return (
    <Modal title={words.settings.title} size="large" class="settings" onClose={onClose}>
      <div class="settings-pages" role="tablist" aria-label={words.settings.title}>
        {pages.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            aria-selected={one === page}
            data-autofocus={one === page ? true : undefined}
            onClick={() => {
              view.dialog.value = { kind: "settings", page: one };
            }}
          >
            {words.settings[one]}
          </button>
        ))}
      </div>
      <div class="settings-page" role="tabpanel">
        <Page page={page} />
      </div>
    </Modal>
  );
}

function Page({ page }: { readonly page: SettingsPage }): JSX.Element {
  switch (page) {
    case "general":
      return <General />;
    case "profiles":
      return <ProfilesSettings />;
    case "shortcuts":
      return <Shortcuts />;
    case "about":
      return <About />;
  }
}

const themes = ["system", "dark", "light"] as const;
const languages: readonly Language[] = ["en", "fr"];

function General(): JSX.Element {
  const { settings } = useStore();
  const words = useWords();
  const values = settings.values.value;
  const theme = values.theme ?? "system";
  const language = values.language ?? "auto";
  const changeTerminal = (change: NonNullable<Settings["terminal"]>) =>
    void settings.change({ terminal: { ...values.terminal, ...change } });
  return (
    <div class="form">
      <fieldset class="field">
        <legend>{words.settings.theme}</legend>
        <div class="segments">
          {themes.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === theme}
              onClick={() => void settings.change({ theme: one })}
            >
              {words.settings.themes[one]}
            </button>
          ))}
        </div>
      </fieldset>
      <fieldset class="field">
        <legend>{words.settings.language}</legend>
        <div class="segments">
          <button
            type="button"
            aria-pressed={language === "auto"}
            onClick={() => void settings.change({ language: "auto" })}
          >
            {words.settings.languageSystem}
          </button>
          {languages.map((one) => (
            <button
              key={one}
              type="button"
              lang={one}
              aria-pressed={one === language}
              onClick={() => void settings.change({ language: one })}
            >
              {languageNames[one]}
            </button>
          ))}
        </div>
      </fieldset>
      <label class="field">
        <span>{words.settings.zoom}</span>
        <input
          type="number"
          class="short"
          min={6}
          max={60}
          value={values.terminal?.fontSizePx ?? DEFAULT_FONT_PX}
          onChange={(event) => {
            const fontSizePx = event.currentTarget.valueAsNumber;
            if (fontSizePx >= 6 && fontSizePx <= 60) changeTerminal({ fontSizePx });
          }}
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={values.terminal?.copyOnSelection === true}
          onChange={(event) => changeTerminal({ copyOnSelection: event.currentTarget.checked })}
        />
        {words.settings.copyOnSelection}
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={values.terminal?.screenReader === true}
          onChange={(event) => changeTerminal({ screenReader: event.currentTarget.checked })}
        />
        {words.settings.screenReader}
      </label>
    </div>
  );
}

function Shortcuts(): JSX.Element {
  const store = useStore();
  const words = useWords();
  return (
    <>
      <p class="muted">{words.settings.shortcutsLead}</p>
      <ul class="shortcut-list">
        {listCommands(store).map(({ id, title, shortcut }) =>
          shortcut === undefined ? null : (
            <li key={id}>
              <span>{title}</span>
              <KeyCaps shortcut={shortcut} />
            </li>
          )
        )}
      </ul>
    </>
  );
}

function About(): JSX.Element {
  const store = useStore();
  const words = useWords();
  const [version, setVersion] = useState<string>();
  useEffect(() => {
    void store.api.call("GET /api/health").then((result) => {
      if (result.ok) setVersion(result.value.version);
      else store.report(result.error);
    });
  }, []);
  return (
    <div class="about">
      <Logo size={44} />
      <div>
        <h3>IdeA {version}</h3>
        <p>{words.settings.aboutLead}</p>
        <p>
          <a href="/api/openapi.json" target="_blank" rel="noopener">{words.settings.apiDocs}</a>
        </p>
      </div>
    </div>
  );
}
