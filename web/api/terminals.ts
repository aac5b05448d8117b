/** Live sessions by HTTP: for scripts and tests. Windows stream them over the socket. */
import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import {
  AgentIdSchema,
  AtMs,
  pageOf,
  PageQuery,
  ProjectIdSchema,
  ProjectParams,
  PtySizeSchema,
  SessionIdSchema,
} from "./values.ts";

const TerminalParams = z.object({ projectId: ProjectIdSchema, sessionId: SessionIdSchema });
const MAX_INPUT_CHARS = 1_048_576;

export const PtyExitSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exited"), code: z.number().int() }),
  z.object({ kind: z.literal("signalled"), signal: z.number().int() }),
]).meta({ id: "PtyExit" });

export const TerminalInfoSchema = z.object({
  sessionId: SessionIdSchema,
  projectId: ProjectIdSchema,
  agentId: AgentIdSchema.exactOptional(),
  pid: z.number().int(),
  title: z.string(),
  folder: z.string().exactOptional(),
  size: PtySizeSchema,
  startedAtMs: AtMs,
  /** Set when the program has ended. */
  exit: PtyExitSchema.exactOptional(),
}).meta({ id: "Terminal" });

export const TerminalTextSchema = z.object({
  /** The visible rows, trailing blanks cut. */
  screen: z.array(z.string()).readonly(),
  /** Lines above the screen, oldest first. */
  scrollback: z.array(z.string()).readonly(),
  cursor: z.object({ col: z.number().int(), row: z.number().int() }),
  title: z.string(),
  folder: z.string().exactOptional(),
  size: PtySizeSchema,
  modes: z.object({
    bracketedPaste: z.boolean(),
    applicationCursorKeys: z.boolean(),
    alternateScreen: z.boolean(),
    mouseTracking: z.boolean(),
    focusEvents: z.boolean(),
    kittyKeyboard: z.number().int(),
  }),
  /** Bytes of output since the session began. */
  offset: z.number(),
}).meta({ id: "TerminalText" });

export const WaitTextSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("found"), line: z.string(), text: TerminalTextSchema }),
  z.object({ kind: z.literal("timedOut"), text: TerminalTextSchema }),
  z.object({ kind: z.literal("exited"), exit: PtyExitSchema, text: TerminalTextSchema }),
]);

/** Text, or bytes as base64; paste frames the text as the program asked for it. */
const InputSchema = z.union([
  z.strictObject({ text: z.string().min(1).max(MAX_INPUT_CHARS), paste: z.boolean().exactOptional() }),
  z.strictObject({ base64: z.base64().min(4).max(MAX_INPUT_CHARS) }),
]);

export const terminalEndpoints = {
  list: endpoint({
    method: "get",
    path: "/api/projects/{projectId}/terminals",
    tag: "terminals",
    id: "listTerminals",
    summary: "Lists the sessions of a project, those of agents too",
    params: ProjectParams,
    query: PageQuery,
    output: pageOf(TerminalInfoSchema),
  }),
  open: endpoint({
    method: "post",
    path: "/api/projects/{projectId}/terminals",
    tag: "terminals",
    id: "openTerminal",
    summary: "Opens a terminal: the person's shell, or the program given",
    params: ProjectParams,
    body: z.strictObject({
      argv: z.tuple([z.string().min(1).max(4_096)], z.string().max(65_536)).exactOptional(),
      /** Relative to the project's root, or absolute; left out: the root. */
      cwd: z.string().min(1).max(4_096).exactOptional(),
      env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string().max(65_536)).exactOptional(),
      size: PtySizeSchema.exactOptional(),
      title: z.string().max(200).exactOptional(),
    }),
    output: TerminalInfoSchema,
    status: 201,
  }),
  close: endpoint({
    method: "delete",
    path: "/api/projects/{projectId}/terminals/{sessionId}",
    tag: "terminals",
    id: "closeTerminal",
    summary: "Ends the program if it lives, and forgets the session",
    params: TerminalParams,
    output: z.object({ exit: PtyExitSchema }),
  }),
  input: endpoint({
    method: "post",
    path: "/api/projects/{projectId}/terminals/{sessionId}/input",
    tag: "terminals",
    id: "writeTerminal",
    summary: "Types into a terminal",
    params: TerminalParams,
    body: InputSchema,
    maxBodyBytes: 8 * 1_048_576,
  }),
  resize: endpoint({
    method: "post",
    path: "/api/projects/{projectId}/terminals/{sessionId}/resize",
    tag: "terminals",
    id: "resizeTerminal",
    summary: "Changes the size of a terminal",
    params: TerminalParams,
    body: PtySizeSchema,
  }),
  screen: endpoint({
    method: "get",
    path: "/api/projects/{projectId}/terminals/{sessionId}/screen",
    tag: "terminals",
    id: "readTerminal",
    summary: "What a terminal shows, as text, with as many lines of scrollback as asked for",
    params: TerminalParams,
    query: z.object({ scrollback: z.coerce.number<number>().int().min(0).max(100_000).exactOptional() }),
    output: TerminalTextSchema,
  }),
  wait: endpoint({
    method: "get",
    path: "/api/projects/{projectId}/terminals/{sessionId}/wait",
    tag: "terminals",
    id: "waitTerminal",
    summary: "Waits until a line of screen or scrollback matches a regular expression, or the time is over",
    params: TerminalParams,
    query: z.object({
      pattern: z.string().min(1).max(1_000),
      timeoutMs: z.coerce.number<number>().int().min(0).max(600_000).exactOptional(),
    }),
    output: WaitTextSchema,
  }),
};
