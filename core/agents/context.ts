/**
 * The context an agent starts with, one Markdown text composed of what the project and the person keep about it:
 * persona, project root, rules of the project, skills, memory, handoff, and how to work with the others.
 */

export interface ContextParts {
  readonly agentName: string;
  readonly persona: string;
  readonly projectName: string;
  readonly projectRoot: string;
  /** CONTEXT.md: rules for every agent of the project. */
  readonly projectRules: string;
  /** In the order of the manifest; a skill that was deleted is left out by the caller. */
  readonly skills: readonly { readonly name: string; readonly content: string }[];
  /** Notes that fit, each with its slug. */
  readonly memory: readonly { readonly slug: string; readonly content: string }[];
  readonly handoff?: string;
  readonly liveState?: string;
  readonly colleagues: readonly { readonly name: string; readonly profile: string }[];
  /** How this agent reaches IdeA: by MCP tools, or by files in this folder. */
  readonly door: { readonly kind: "mcp" } | { readonly kind: "files"; readonly requestsFolder: string };
}

export function composeContext(parts: ContextParts): string {
  const sections = [
    `# You are ${parts.agentName}\n\nYou are ${parts.agentName}, an agent of the project ${parts.projectName}, ` +
    `run by IdeA in a terminal of its own. The project root is \`${parts.projectRoot}\`.`,
    section("Your role", parts.persona),
    section("Rules of this project", parts.projectRules),
    ...parts.skills.map((skill) => section(`Skill: ${skill.name}`, skill.content)),
    section(
      "What the project remembers",
      parts.memory.map((note) => `### ${note.slug}\n\n${note.content.trim()}`).join("\n\n"),
    ),
    section("What goes on in the project", parts.liveState ?? ""),
    section("Where the work stands (handoff)", parts.handoff ?? ""),
    section("Working with your colleagues", parts.door.kind === "mcp" ? mcpProtocol(parts) : fileProtocol(parts)),
  ];
  return `${sections.filter((text) => text !== "").join("\n\n")}\n`;
}

function section(title: string, body: string): string {
  return body.trim() === "" ? "" : `## ${title}\n\n${body.trim()}`;
}

function colleagues(parts: ContextParts): string {
  if (parts.colleagues.length === 0) return "You have no colleagues in this project yet.";
  return `Your colleagues: ${parts.colleagues.map((one) => `${one.name} (${one.profile})`).join(", ")}.`;
}

function mcpProtocol(parts: ContextParts): string {
  return `${colleagues(parts)}

- A line \`[IdeA · task from NAME · ticket ID]\` is a task for you. If it says so, fetch the whole text with the tool \`idea_get_task\`. Do the work, then answer with \`idea_reply\`: its result is what the one who asked gets. Answer every task exactly once, also when you could not do it: then say why.
- To have something done by a colleague, call \`idea_ask_agent\` with the colleague's name and the task. The call waits and returns the answer. If it returns a ticket instead, the work goes on: call \`idea_wait_reply\` with that ticket.
- \`idea_list_agents\` shows who is there and what each one does. Do not ask someone who waits for you: that is refused.
- \`idea_set_status\` tells the others in one sentence what you are doing.`;
}

function fileProtocol(parts: ContextParts): string {
  const folder = parts.door.kind === "files" ? parts.door.requestsFolder : "";
  return `${colleagues(parts)}

- A line \`[IdeA · task from NAME · ticket ID]\` is a task for you. If it names a file, read the whole task there. Do the work, then answer by writing the file \`${folder}/reply-ID.json\` with \`{"type":"agent.reply","ticket":"ID","result":"..."}\`. Answer every task exactly once, also when you could not do it: then say why.
- To have something done by a colleague, write \`${folder}/NAME.json\` with \`{"type":"agent.message","targetAgent":"NAME","task":"..."}\` (any file name). The answer appears beside it as \`NAME.json.response.json\`, with the text in \`reply\`. While that file says \`"pending": true\`, the colleague is still at work: look again later.`;
}
