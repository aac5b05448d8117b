/** The person's profiles, and which reference CLIs this machine has. */
import type { Events } from "../events.ts";
import type { ProfileId } from "../ids.ts";
import type { Folder } from "../ports/folder.ts";
import type { Programs } from "../ports/programs.ts";
import type { AgentProfile } from "../profiles/profile.ts";
import { NO_PROFILES, profilesFormat, putProfile, removeProfile } from "../profiles/profiles_document.ts";
import { referenceProfiles } from "../profiles/reference.ts";
import { err, ok, type Result } from "../result.ts";
import type { DetectedProfile, ProfileError, Profiles as ProfilesDoor } from "./app.ts";
import { type DocumentError, openDocument } from "./documents.ts";

/** Some CLIs need seconds for their first start. */
const DETECT_TIMEOUT_MS = 15_000;

export interface Profiles extends ProfilesDoor {
  get(profileId: ProfileId): AgentProfile | undefined;
}

export interface ProfilesPorts {
  readonly dataFolder: Folder;
  readonly programs: Programs;
  readonly events: Events;
}

export async function createProfiles({ dataFolder, programs, events }: ProfilesPorts): Promise<Profiles> {
  const document = await openDocument({
    folder: dataFolder,
    path: "profiles.json",
    format: profilesFormat,
    initial: NO_PROFILES,
  });
  const list = () => document.value().profiles;
  const get = (profileId: ProfileId) => list().find(({ id }) => id === profileId);

  async function detect(profile: AgentProfile): Promise<DetectedProfile> {
    const chosen = get(profile.id) !== undefined;
    const program = await programs.find(profile.command);
    if (program === undefined) return { profile, installed: false, chosen };
    const [, ...args] = profile.detect ?? [profile.command];
    if (args.length === 0) return { profile, installed: true, program, chosen };
    const ran = await programs.run([program, ...args], { timeoutMs: DETECT_TIMEOUT_MS });
    const installed = ran.ok && ran.value.code === 0;
    const version = ran.ok ? /\d+(?:\.\d+)+\S*/.exec(ran.value.stdout)?.[0] : undefined;
    return { profile, installed, program, ...(version === undefined ? {} : { version }), chosen };
  }

  return {
    get,
    list,
    // The person's own version of a reference profile is the one that would run.
    detect: () => Promise.all(referenceProfiles.map((reference) => detect(get(reference.id) ?? reference))),
    async save(profile) {
      const saved = await document.update((current) => ok(putProfile(current, profile)));
      if (!saved.ok) return err(toProfileError(saved.error));
      events.publish({ kind: "profilesChanged" });
      return ok(profile);
    },
    async remove(profileId): Promise<Result<void, ProfileError>> {
      if (get(profileId) === undefined) return err({ kind: "profileNotFound", profileId });
      const saved = await document.update((current) => ok(removeProfile(current, profileId)));
      if (!saved.ok) return err(toProfileError(saved.error));
      events.publish({ kind: "profilesChanged" });
      return ok();
    },
  };
}

function toProfileError(error: DocumentError): ProfileError {
  if (error.kind === "storage") return error;
  return { kind: "storage", error: { kind: "io", path: error.path, code: error.kind, cause: error } };
}
