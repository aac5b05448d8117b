/** Files of a project, to look at. */
import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { ProjectParams, SessionIdSchema } from "./values.ts";

export const fileEndpoints = {
  read: endpoint({
    method: "get",
    path: "/api/projects/{projectId}/file",
    tag: "projects",
    id: "readFile",
    summary: "Reads a text file of the project, by a path as a program prints it",
    params: ProjectParams,
    query: z.object({
      path: z.string().min(1).max(4_096),
      /** Relative paths count from where the program of this terminal is, then from the project's root. */
      sessionId: SessionIdSchema.exactOptional(),
    }),
    output: z.object({
      /** Relative to the project's root. */
      path: z.string(),
      text: z.string(),
    }).meta({ id: "ProjectFile" }),
  }),
};
