/** The person's profiles, and what was found on the machine. */
import { type Signal, signal } from "@preact/signals";
import type { ApiClient, ApiError } from "../../api/client.ts";
import { readPages } from "./paging.ts";
import { createRefresher } from "./refresher.ts";
import type { DetectedProfile, ProfileView } from "./views.ts";

export interface Profiles {
  /** Undefined until it is known. */
  readonly list: Signal<readonly ProfileView[] | undefined>;
  readonly detected: Signal<readonly DetectedProfile[] | undefined>;
  refresh(): Promise<void>;
  /** Looks at the machine: takes a moment, so only when somebody wants to see it. */
  detect(): Promise<void>;
  /** True when it was saved. */
  save(profile: ProfileView): Promise<boolean>;
  remove(id: ProfileView["id"]): Promise<boolean>;
}

export function createProfiles(
  { api, onError }: { readonly api: ApiClient; readonly onError: (error: ApiError) => void },
): Profiles {
  const list = signal<readonly ProfileView[] | undefined>(undefined);
  const detected = signal<readonly DetectedProfile[] | undefined>(undefined);
  const reading = createRefresher(async () => {
    const result = await readPages((query) => api.call("GET /api/profiles", { query }));
    if (result.ok) list.value = result.value;
    else onError(result.error);
  });
  const detecting = createRefresher(async () => {
    const result = await readPages((query) => api.call("GET /api/profiles/detected", { query }));
    if (result.ok) detected.value = result.value;
    else onError(result.error);
  });
  return {
    list,
    detected,
    refresh: () => reading.refresh(),
    detect: () => detecting.refresh(),
    async save({ id, ...body }) {
      const result = await api.call("PUT /api/profiles/{profileId}", { params: { profileId: id }, body });
      if (!result.ok) onError(result.error);
      await reading.refresh();
      return result.ok;
    },
    async remove(profileId) {
      const result = await api.call("DELETE /api/profiles/{profileId}", { params: { profileId } });
      if (!result.ok) onError(result.error);
      await reading.refresh();
      return result.ok;
    },
  };
}
