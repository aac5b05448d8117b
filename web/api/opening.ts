/** How a browser gets in: `/?code=...` signs it in once, where `/?token=...` would be read by others meanwhile. */
import { z } from "zod";
import { endpoint } from "./endpoint.ts";

export const openingEndpoints = {
  createCode: endpoint({
    method: "post",
    path: "/api/opening-codes",
    tag: "access",
    id: "createOpeningCode",
    summary: "Makes a code that signs one browser in at /?code=, once and for a short time only",
    output: z.object({ code: z.string(), expiresInMs: z.number().int() }),
    status: 201,
  }),
};
