/** The person's settings: one document in the data folder, merged one level deep. */
import { z } from "zod";
import type { Folder } from "../ports/folder.ts";
import { err, ok } from "../result.ts";
import type { DocumentFormat } from "../workspace/document.ts";
import type { Settings, SettingsValues } from "./app.ts";
import { openDocument } from "./documents.ts";

const settingsFormat: DocumentFormat<SettingsValues> = {
  version: 1,
  schema: z.looseObject({ version: z.number().int().positive().default(1) }),
};

export async function createSettings(dataFolder: Folder): Promise<Settings> {
  const initial = { version: 1 };
  const document = await openDocument({ folder: dataFolder, path: "settings.json", format: settingsFormat, initial });
  return {
    read: () => withoutVersion(document.value()),
    async change(changes) {
      const { version: _, ...own } = changes;
      const updated = await document.update((current) => ok({ ...current, ...own }));
      if (updated.ok) return ok(withoutVersion(updated.value));
      const { error } = updated;
      if (error.kind === "storage") return err({ kind: "storage", error: error.error });
      return err({ kind: "storage", error: { kind: "io", path: error.path, code: error.kind, cause: error } });
    },
  };
}

function withoutVersion({ version: _, ...values }: SettingsValues): SettingsValues {
  return values;
}
