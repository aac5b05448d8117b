/** One of the person's profiles. */
import type { JSX } from "preact";
import { useId } from "preact/hooks";
import type { ProfileId } from "../../../core/ids.ts";
import { formatArgs } from "../state/command_line.ts";
import { useStore, useWords } from "./context.ts";

export interface ProfileChoiceProps {
  readonly value: ProfileId | undefined;
  readonly onChange: (profileId: ProfileId) => void;
}

export function ProfileChoice({ value, onChange }: ProfileChoiceProps): JSX.Element {
  const { profiles, view } = useStore();
  const words = useWords();
  const group = useId();
  const list = profiles.list.value ?? [];
  if (list.length === 0) {
    return (
      <div class="notice">
        <p>{words.agents.noProfiles}</p>
        <button
          type="button"
          onClick={() => {
            view.dialog.value = { kind: "settings", page: "profiles" };
          }}
        >
          {words.agents.addProfile}
        </button>
      </div>
    );
  }
  return (
    <div class="radio-list" role="radiogroup" aria-label={words.agents.profile}>
      {list.map((profile) => (
        <label key={profile.id} class={`radio-row ${profile.id === value ? "chosen" : ""}`}>
          <input
            type="radio"
            name={group}
            checked={profile.id === value}
            onChange={() => onChange(profile.id)}
          />
          <span class="radio-text">
            <strong>{profile.name}</strong>
            <code class="clip">{formatArgs([profile.command, ...profile.args])}</code>
          </span>
        </label>
      ))}
    </div>
  );
}
