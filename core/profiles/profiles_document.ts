/** `profiles.json` in the data folder: the profiles that the person chose, edited or added; the rest is reference data. */
import { z } from "zod";
import type { ProfileId } from "../ids.ts";
import type { DocumentFormat } from "../workspace/document.ts";
import { idSchema } from "../workspace/id_schema.ts";
import { type AgentProfile, ProfileSchema } from "./profile.ts";

export interface ProfilesDocument {
  readonly version: number;
  readonly profiles: readonly AgentProfile[];
}

export const NO_PROFILES: ProfilesDocument = { version: 1, profiles: [] };

export const profilesFormat: DocumentFormat<ProfilesDocument> = {
  version: 1,
  schema: z.looseObject({
    version: z.number().int().positive().default(1),
    profiles: z.array(ProfileSchema.extend({ id: idSchema("profile") })),
  }),
};

/** In its place when it is known already, else at the end. */
export function putProfile(document: ProfilesDocument, profile: AgentProfile): ProfilesDocument {
  const at = document.profiles.findIndex(({ id }) => id === profile.id);
  const profiles = at < 0 ? [...document.profiles, profile] : document.profiles.with(at, profile);
  return { ...document, profiles };
}

export function removeProfile(document: ProfilesDocument, profileId: ProfileId): ProfilesDocument {
  return { ...document, profiles: document.profiles.filter(({ id }) => id !== profileId) };
}
