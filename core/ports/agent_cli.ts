/**
 * What only one AI CLI knows: how it is told its context, its MCP server and its conversation, and how it reports what
 * it does. A profile names its adapter; a profile without one runs by the generic strategies of its data.
 */
import type { AgentProfile } from "../profiles/profile.ts";
import type { Result } from "../result.ts";

export interface LaunchRequest {
  readonly profile: AgentProfile;
  readonly projectRoot: string;
  /** The agent's own folder, absolute: the only place where files may be made. */
  readonly runDir: string;
  /** The composed context, Markdown. */
  readonly context: string;
  readonly mcp: {
    readonly url: string;
    readonly secret: string;
    /** A command that speaks MCP over stdio, for CLIs that cannot do HTTP; it finds url and secret in the environment. */
    readonly bridge: readonly [string, ...string[]];
  };
  readonly conversation:
    | { readonly kind: "new"; readonly freshId: string }
    | { readonly kind: "resume"; readonly providerSessionId: string };
}

export interface LaunchFile {
  /** Relative to the run folder. */
  readonly path: string;
  readonly text: string;
  readonly secret?: boolean;
}

export interface LaunchPlan {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly LaunchFile[];
  /** Known before the start when the CLI lets us assign it. */
  readonly providerSessionId?: string;
  /** Typed as the first message when the CLI takes its context no other way. */
  readonly firstInput?: string;
}

export type LaunchPlanError = { readonly kind: "contextTooLong"; readonly bytes: number; readonly limitBytes: number };

/** What a CLI told through its hooks, in its own words turned into ours. */
export type CliReport =
  /** It has started: from now on it takes input. */
  | { readonly kind: "started" }
  | { readonly kind: "conversation"; readonly providerSessionId: string; readonly transcriptPath?: string }
  /** turnId: the program's own, where it has one; the same in the report of its end. */
  | { readonly kind: "turnStarted"; readonly prompt?: string; readonly turnId?: string }
  | {
    readonly kind: "turnEnded";
    readonly lastAnswer?: string;
    readonly turnId?: string;
    /** What was asked, this turn's last: where the program says so. */
    readonly prompts?: readonly string[];
  }
  | { readonly kind: "blocked"; readonly detail: string }
  | { readonly kind: "limited"; readonly detail: string; readonly resetsAtMs?: number }
  | { readonly kind: "failed"; readonly detail: string; readonly turnId?: string };

/** One exchange of a transcript. */
export interface TranscriptTurn {
  /** Stable within the transcript: a turn read twice is stored once. */
  readonly key: string;
  readonly atMs: number;
  readonly role: "prompt" | "response";
  readonly text: string;
  readonly thinking?: string;
}

export interface TranscriptChunk {
  readonly turns: readonly TranscriptTurn[];
  /** Where to read on. */
  readonly nextOffset: number;
}

export interface AgentCli {
  planLaunch(request: LaunchRequest): Result<LaunchPlan, LaunchPlanError>;
  /** Name of the file in the run folder to which hooks append a line each; undefined: it has none. */
  readonly hookFile?: string;
  /** Its hooks tell both the begin and the end of a turn, so they may have the say about its state. */
  readonly hooksTellTurns: boolean;
  parseHookLine(line: string): readonly CliReport[];
  /** The conversation of a tools/call of its MCP client, when it says so there. */
  conversationOfCall(meta: Readonly<Record<string, unknown>>): string | undefined;
  /** Finds the transcript of a conversation of which only the id is known. */
  findTranscript(
    providerSessionId: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<string | undefined>;
  /** Turns that were completed after that byte offset. A missing file has none. */
  readTranscript(path: string, fromOffset: number): Promise<TranscriptChunk>;
}

export interface AgentClis {
  for(profile: AgentProfile): AgentCli;
}
