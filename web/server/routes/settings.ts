/** The person's settings over HTTP. */
import type { Hono } from "hono";
import type { App } from "../../../core/app/app.ts";
import { ok } from "../../../core/result.ts";
import { settingsEndpoints } from "../../api/settings.ts";
import { register } from "../register.ts";

export function registerSettings(router: Hono, { settings }: App): void {
  register(router, settingsEndpoints.read, () => ok(settings.read()));
  register(router, settingsEndpoints.change, ({ body }) => settings.change(body));
}
