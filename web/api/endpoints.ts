/** All operations of the HTTP API. What is not here is not served (but the event stream and the socket, see README). */
import { agentEndpoints } from "./agents.ts";
import { conversationEndpoints, liveEndpoints } from "./conversations.ts";
import type { EndpointKey } from "./endpoint.ts";
import { fileEndpoints } from "./files.ts";
import { healthEndpoints } from "./health.ts";
import { layoutEndpoints } from "./layouts.ts";
import { openingEndpoints } from "./opening.ts";
import { profileEndpoints } from "./profiles.ts";
import { folderEndpoints, projectEndpoints } from "./projects.ts";
import { settingsEndpoints } from "./settings.ts";
import { terminalEndpoints } from "./terminals.ts";
import { ticketEndpoints } from "./tickets.ts";

export const endpoints = {
  health: healthEndpoints,
  projects: projectEndpoints,
  folders: folderEndpoints,
  files: fileEndpoints,
  profiles: profileEndpoints,
  agents: agentEndpoints,
  tickets: ticketEndpoints,
  terminals: terminalEndpoints,
  layouts: layoutEndpoints,
  conversations: conversationEndpoints,
  live: liveEndpoints,
  settings: settingsEndpoints,
  opening: openingEndpoints,
} as const;

type ValueOf<T> = T[keyof T];
type EndpointUnion = ValueOf<{ [N in keyof typeof endpoints]: ValueOf<(typeof endpoints)[N]> }>;

/** From "GET /api/health" and the like to the definition. */
export type Endpoints = { [E in EndpointUnion as EndpointKey<E>]: E };
