/** Settings of the person. Fields that this version does not know are kept. */
import { z } from "zod";
import { endpoint } from "./endpoint.ts";

export const SettingsSchema = z.looseObject({
  theme: z.enum(["system", "dark", "light"]).exactOptional(),
  language: z.enum(["auto", "en", "fr"]).exactOptional(),
  autosave: z.boolean().exactOptional(),
  terminal: z.looseObject({
    fontFamily: z.string().max(500).exactOptional(),
    fontSizePx: z.number().min(6).max(60).exactOptional(),
    scrollbackLines: z.number().int().min(0).max(100_000).exactOptional(),
    copyOnSelection: z.boolean().exactOptional(),
  }).exactOptional(),
  notifications: z.looseObject({
    desktop: z.boolean().exactOptional(),
    sound: z.boolean().exactOptional(),
  }).exactOptional(),
});

export const settingsEndpoints = {
  read: endpoint({
    method: "get",
    path: "/api/settings",
    tag: "settings",
    id: "readSettings",
    summary: "The person's settings",
    output: SettingsSchema,
  }),
  change: endpoint({
    method: "patch",
    path: "/api/settings",
    tag: "settings",
    id: "changeSettings",
    summary: "Changes the settings that are given, one level deep",
    body: SettingsSchema,
    output: SettingsSchema,
  }),
};
