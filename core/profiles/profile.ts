/**
 * A profile says, as data, how to run one AI CLI. Adding a CLI is adding data: everything that only one CLI has is a
 * named strategy here, or an adapter of adapters/profiles that the profile names.
 *
 * Placeholders in args and env values: {projectRoot} {runDir} {mcpUrl} {mcpConfig} {contextFile} {sessionId} {secretFile}.
 * Patterns are regular expressions applied to the screen's text (or the title), never to raw bytes.
 */
import { z } from "zod";
import type { ProfileId } from "../ids.ts";

const Text = z.string().min(1).max(4_096);
const Pattern = z.string().min(1).max(1_000).refine(isRegExp, "not a regular expression");

function isRegExp(text: string): boolean {
  try {
    new RegExp(text, "mu");
    return true;
  } catch {
    return false;
  }
}

export const ContextInjectionSchema = z.discriminatedUnion("strategy", [
  /** A file of this name in the folder the CLI reads it from. */
  z.looseObject({ strategy: z.literal("conventionFile"), target: Text }),
  /** A flag followed by the path of the context file, or by its text when the value is "text". */
  z.looseObject({ strategy: z.literal("flag"), flag: Text, value: z.enum(["path", "text"]).optional() }),
  z.looseObject({ strategy: z.literal("stdin") }),
  z.looseObject({ strategy: z.literal("env"), var: Text, value: z.enum(["path", "text"]).optional() }),
]);

export const ProfileSchema = z.looseObject({
  id: z.string().min(1).max(128),
  name: z.string().trim().min(1).max(80),
  command: Text,
  args: z.array(z.string().max(4_096)).max(100).default([]),
  env: z.record(z.string(), z.string()).default({}),
  /** Command line as argv; exit 0 = installed. */
  detect: z.array(Text).min(1).optional(),
  cwd: z.enum(["{projectRoot}", "{runDir}"]).default("{projectRoot}"),
  contextInjection: ContextInjectionSchema.optional(),
  mcp: z.looseObject({
    config: z.discriminatedUnion("strategy", [
      z.looseObject({ strategy: z.literal("configFile"), target: Text }),
      z.looseObject({ strategy: z.literal("flag"), flag: Text }),
      z.looseObject({ strategy: z.literal("env"), var: Text }),
    ]),
    transport: z.enum(["stdio", "http"]),
    /** How long the CLI lets one tool call last, ms. */
    timeoutMs: z.number().int().positive().optional(),
    /** Deliver the first prompt only after this agent's client has asked for tools/list. */
    waitForToolsList: z.boolean().optional(),
  }).optional(),
  session: z.looseObject({
    assignFlag: Text.optional(),
    resumeFlag: Text.optional(),
    /** resume by subcommand instead of a flag: [resume, {sessionId}]. */
    resumeArgs: z.array(Text).optional(),
    forkFlag: Text.optional(),
    idFrom: z.enum(["assigned", "hook", "mcp", "transcript"]),
  }).optional(),
  input: z.looseObject({
    submit: z.string().min(1).default("\r"),
    paste: z.enum(["bracketed", "plain"]).default("bracketed"),
    submitDelayMs: z.number().int().min(0).max(5_000).default(60),
    /**
     * How long the program may take to show what was typed; what it does not show is typed again. Left out: it is not
     * looked at. For programs that throw away what is typed while they start.
     */
    echoTimeoutMs: z.number().int().min(0).max(30_000).optional(),
    interrupt: z.string().min(1).default("\u001b"),
    /** Between two keys of an interrupt of several. */
    interruptGapMs: z.number().int().min(0).max(5_000).optional(),
  }).prefault({}),
  ready: z.looseObject({
    screenPattern: Pattern.optional(),
    titlePattern: Pattern.optional(),
    /** It is not ready before its hook of this name was heard. */
    hook: Text.optional(),
    oscProgress: z.boolean().optional(),
  }).optional(),
  busy: z.looseObject({ screenPattern: Pattern.optional(), titlePattern: Pattern.optional() }).optional(),
  turnEnd: z.looseObject({ hook: Text.optional() }).optional(),
  attention: z.looseObject({
    hook: Text.optional(),
    screenPattern: Pattern.optional(),
    titlePattern: Pattern.optional(),
    bell: z.boolean().optional(),
  }).optional(),
  /** The CLI tells its state by OSC 7501; once seen, it is the only authority. */
  programStatus: z.boolean().optional(),
  rateLimit: z.looseObject({
    pattern: Pattern,
    structured: Text.optional(),
    /** A dialog that stays open after the limit, and the keys that leave it: nothing could be typed before. */
    dialog: z.looseObject({ screenPattern: Pattern, leave: z.array(z.string().min(1)).min(1) }).optional(),
  }).optional(),
  /** Names of adapters in adapters/profiles: who reads its transcript, writes its config. */
  transcript: Text.optional(),
  structured: z.enum(["acp", "claude", "codex"]).optional(),
  config: z.enum(["claude", "codex", "gemini", "opencode", "aider", "generic"]).optional(),
});

export type AgentProfile = z.infer<typeof ProfileSchema> & { readonly id: ProfileId };
