/** Profiles over HTTP. */
import type { Hono } from "hono";
import type { App } from "../../../core/app/app.ts";
import { profileEndpoints } from "../../api/profiles.ts";
import { paginate } from "../paging.ts";
import { register } from "../register.ts";

export function registerProfiles(router: Hono, { profiles }: App): void {
  register(router, profileEndpoints.list, ({ query }) => paginate(profiles.list(), query, (profile) => profile.id));
  register(
    router,
    profileEndpoints.detect,
    async ({ query }) => paginate(await profiles.detect(), query, ({ profile }) => profile.id),
  );
  register(router, profileEndpoints.save, ({ params, body }) => profiles.save({ ...body, id: params.profileId }));
  register(router, profileEndpoints.remove, ({ params }) => profiles.remove(params.profileId));
}
