/** Codes for the browser that is about to be started. */
import type { Hono } from "hono";
import { ok } from "../../../core/result.ts";
import { openingEndpoints } from "../../api/opening.ts";
import type { OpeningCodes } from "../opening_codes.ts";
import { register } from "../register.ts";

export function registerOpening(router: Hono, codes: OpeningCodes): void {
  register(router, openingEndpoints.createCode, () => ok(codes.issue()));
}
