/** Is the server there, and which one is it. */
import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { AtMs } from "./values.ts";

export const healthEndpoints = {
  read: endpoint({
    method: "get",
    path: "/api/health",
    tag: "health",
    id: "readHealth",
    summary: "Says that the server runs, which version, and how much it holds",
    output: z.object({
      status: z.literal("ok"),
      version: z.string(),
      pid: z.number().int(),
      startedAtMs: AtMs,
      openProjects: z.number().int(),
      liveSessions: z.number().int(),
    }),
  }),
};
