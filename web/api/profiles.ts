/** Profiles: which AI CLIs this person uses, and which are installed. */
import { z } from "zod";
import { ProfileSchema } from "../../core/profiles/profile.ts";
import { endpoint } from "./endpoint.ts";
import { pageOf, PageQuery, ProfileIdSchema } from "./values.ts";

const ProfileParams = z.object({ profileId: ProfileIdSchema });

export const ProfileViewSchema = ProfileSchema.extend({ id: ProfileIdSchema });

export const DetectedProfileSchema = z.object({
  profile: ProfileViewSchema,
  installed: z.boolean(),
  /** Where the program was found. */
  program: z.string().exactOptional(),
  version: z.string().exactOptional(),
  /** Already among the person's profiles. */
  chosen: z.boolean(),
});

export const profileEndpoints = {
  list: endpoint({
    method: "get",
    path: "/api/profiles",
    tag: "profiles",
    id: "listProfiles",
    summary: "Lists the person's profiles",
    query: PageQuery,
    output: pageOf(ProfileViewSchema),
  }),
  detect: endpoint({
    method: "get",
    path: "/api/profiles/detected",
    tag: "profiles",
    id: "detectProfiles",
    summary: "Lists the reference profiles and whether their program is installed here",
    query: PageQuery,
    output: pageOf(DetectedProfileSchema),
  }),
  save: endpoint({
    method: "put",
    path: "/api/profiles/{profileId}",
    tag: "profiles",
    id: "saveProfile",
    summary: "Adds a profile or replaces it",
    params: ProfileParams,
    body: ProfileSchema.omit({ id: true }),
    output: ProfileViewSchema,
  }),
  remove: endpoint({
    method: "delete",
    path: "/api/profiles/{profileId}",
    tag: "profiles",
    id: "removeProfile",
    summary: "Removes a profile; agents that name it ask for another one",
    params: ProfileParams,
  }),
};
