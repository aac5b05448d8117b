/** What the hooks of Claude Code and Gemini CLI have in common: JSON on standard input that names the conversation. */
import { z } from "zod";
import type { CliReport } from "../../core/ports/agent_cli.ts";

export const StdinHook = z.looseObject({
  hook_event_name: z.string(),
  session_id: z.string().optional(),
  transcript_path: z.string().optional(),
  prompt: z.string().optional(),
  notification_type: z.string().optional(),
  message: z.string().optional(),
});

export function conversationOf(hook: z.infer<typeof StdinHook>): readonly CliReport[] {
  if (hook.session_id === undefined) return [];
  const transcript = hook.transcript_path === undefined ? {} : { transcriptPath: hook.transcript_path };
  return [{ kind: "conversation", providerSessionId: hook.session_id, ...transcript }];
}
