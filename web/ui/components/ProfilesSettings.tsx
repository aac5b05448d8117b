/** The person's profiles, to be edited, added and removed. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { parseId } from "../../../core/ids.ts";
import { formatArgs, formatEnv, parseArgs, parseEnv } from "../state/command_line.ts";
import type { ProfileView } from "../state/views.ts";
import { IconButton } from "./Button.tsx";
import { useStore, useWords } from "./context.ts";

export function ProfilesSettings(): JSX.Element {
  const { profiles, view } = useStore();
  const words = useWords();
  const [edited, setEdited] = useState<ProfileView>();
  useEffect(() => void profiles.detect(), []);
  const list = profiles.list.value ?? [];
  const known = new Set<string>(list.map((profile) => profile.id));
  if (edited !== undefined) {
    return <ProfileForm key={edited.id} profile={edited} onDone={() => setEdited(undefined)} />;
  }
  return (
    <div class="form">
      <p class="muted">{words.profiles.lead}</p>
      <ul class="profile-list">
        {list.map((profile) => (
          <li key={profile.id}>
            <span class="radio-text">
              <strong>{profile.name}</strong>
              <code class="clip">{formatArgs([profile.command, ...profile.args])}</code>
            </span>
            <IconButton
              icon="edit"
              label={`${words.actions.edit} – ${profile.name}`}
              onClick={() => setEdited(profile)}
            />
            <IconButton
              icon="trash"
              label={`${words.actions.remove} – ${profile.name}`}
              onClick={() => {
                view.dialog.value = { kind: "removeProfile", profileId: profile.id, name: profile.name };
              }}
            />
          </li>
        ))}
      </ul>
      <div class="row">
        {(profiles.detected.value ?? []).filter(({ profile }) => !known.has(profile.id)).map((
          { profile, installed },
        ) => (
          <button
            key={profile.id}
            type="button"
            title={installed ? words.profiles.installed : words.profiles.missing}
            onClick={() => setEdited(profile)}
          >
            + {profile.name}
          </button>
        ))}
        <button
          type="button"
          onClick={() => setEdited(customProfile())}
        >
          + {words.profiles.new}
        </button>
      </div>
    </div>
  );
}

function customProfile(): ProfileView | undefined {
  const id = parseId("profile", crypto.randomUUID());
  if (!id.ok) return undefined;
  return {
    id: id.value,
    name: "",
    command: "",
    args: [],
    env: {},
    cwd: "{projectRoot}",
    input: { submit: "\r", paste: "bracketed", submitDelayMs: 60, interrupt: "\u001b" },
  };
}

function ProfileForm({ profile, onDone }: { readonly profile: ProfileView; readonly onDone: () => void }): JSX.Element {
  const { profiles } = useStore();
  const words = useWords();
  const [name, setName] = useState(profile.name);
  const [line, setLine] = useState(formatArgs(profile.command === "" ? [] : [profile.command, ...profile.args]));
  const [envText, setEnvText] = useState(formatEnv(profile.env));
  const env = parseEnv(envText);
  const [command, ...args] = parseArgs(line) ?? [];
  const valid = name.trim() !== "" && command !== undefined && env.kind === "env";
  const save = async () => {
    if (command === undefined || env.kind !== "env") return;
    if (await profiles.save({ ...profile, name: name.trim(), command, args, env: env.env })) onDone();
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label class="field">
        <span>{words.profiles.name}</span>
        <input
          type="text"
          required
          maxLength={80}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>{words.firstRun.command}</span>
        <input
          type="text"
          class="mono"
          required
          spellcheck={false}
          autocapitalize="off"
          aria-invalid={line !== "" && command === undefined}
          value={line}
          onInput={(event) => setLine(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>{words.profiles.env}</span>
        <textarea
          rows={3}
          class="mono"
          spellcheck={false}
          aria-invalid={env.kind !== "env"}
          value={envText}
          onInput={(event) => setEnvText(event.currentTarget.value)}
        />
        {env.kind === "notAnAssignment" && <span class="warning small">{words.profiles.invalidEnv(env.line)}</span>}
      </label>
      <div class="form-foot">
        <button type="button" onClick={onDone}>{words.actions.back}</button>
        <button type="submit" class="primary" disabled={!valid}>{words.actions.save}</button>
      </div>
    </form>
  );
}
