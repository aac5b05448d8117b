/** First run: what is installed is proposed, pre-filled and editable; all of it can be skipped. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { formatArgs, parseArgs } from "../state/command_line.ts";
import type { DetectedProfile } from "../state/views.ts";
import { useStore, useWords } from "./context.ts";
import { Modal } from "./Modal.tsx";

interface Choice {
  readonly chosen: boolean;
  readonly line: string;
}

export function FirstRunDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const { profiles } = useStore();
  const words = useWords();
  const [edits, setEdits] = useState<ReadonlyMap<string, Choice>>(new Map());
  const [busy, setBusy] = useState(false);
  useEffect(() => void profiles.detect(), []);
  const detected = profiles.detected.value;
  const installed = detected?.filter((one) => one.installed) ?? [];
  const others = detected?.filter((one) => !one.installed) ?? [];
  const choiceOf = ({ profile, installed: found }: DetectedProfile): Choice =>
    edits.get(profile.id) ?? { chosen: found, line: formatArgs([profile.command, ...profile.args]) };
  const chosen = (detected ?? []).filter((one) => choiceOf(one).chosen);
  const save = async () => {
    setBusy(true);
    for (const one of chosen) {
      const [command, ...args] = parseArgs(choiceOf(one).line) ?? [];
      await profiles.save({ ...one.profile, ...(command === undefined ? {} : { command, args }) });
    }
    setBusy(false);
    onClose();
  };
  const row = (one: DetectedProfile) => (
    <ProfileRow
      key={one.profile.id}
      detected={one}
      choice={choiceOf(one)}
      onChange={(choice) => setEdits(new Map(edits).set(one.profile.id, choice))}
    />
  );
  return (
    <Modal
      title={words.firstRun.title}
      lead={detected === undefined
        ? words.firstRun.searching
        : installed.length > 0
        ? words.firstRun.lead
        : words.firstRun.none}
      onClose={onClose}
      footer={
        <>
          <button type="button" class="quiet" onClick={onClose}>{words.actions.skip}</button>
          <span class="grow" />
          <button
            type="button"
            class="primary"
            data-autofocus
            disabled={busy || detected === undefined}
            onClick={() => chosen.length === 0 ? onClose() : void save()}
          >
            {chosen.length === 0 ? words.firstRun.useNone : words.firstRun.use}
          </button>
        </>
      }
    >
      <div class="profile-rows">{installed.map(row)}</div>
      {others.length > 0 && (
        <details class="fold">
          <summary>{words.firstRun.others(others.length)}</summary>
          <div class="profile-rows">{others.map(row)}</div>
        </details>
      )}
    </Modal>
  );
}

interface ProfileRowProps {
  readonly detected: DetectedProfile;
  readonly choice: Choice;
  readonly onChange: (choice: Choice) => void;
}

function ProfileRow({ detected, choice, onChange }: ProfileRowProps): JSX.Element {
  const words = useWords();
  const { profile, installed, program, version } = detected;
  const invalid = parseArgs(choice.line) === undefined || choice.line.trim() === "";
  return (
    <div class={`profile-row ${choice.chosen ? "chosen" : ""}`}>
      <label class="profile-head">
        <input
          type="checkbox"
          checked={choice.chosen}
          onChange={(event) => onChange({ ...choice, chosen: event.currentTarget.checked })}
        />
        <strong>{profile.name}</strong>
        {version !== undefined && <span class="tag">{version}</span>}
        <span class="faint small clip-start">
          <bdi>{installed ? program : words.firstRun.notInstalled}</bdi>
        </span>
      </label>
      <input
        type="text"
        class="mono"
        value={choice.line}
        spellcheck={false}
        autocapitalize="off"
        aria-invalid={invalid}
        aria-label={`${words.firstRun.command} – ${profile.name}`}
        onInput={(event) => onChange({ ...choice, line: event.currentTarget.value })}
      />
    </div>
  );
}
