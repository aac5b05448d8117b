/** The errors of commands in words that name tools, since a model that has MCP has nothing else. */
import { describeCommandError as describe, type DoorNames } from "../core/orchestration/command_words.ts";
import type { CommandError } from "../core/orchestration/commands.ts";

const TOOLS: DoorNames = {
  ask: "idea_ask_agent",
  launch: "idea_launch_agent",
  reply: "idea_reply",
  list: "idea_list_agents",
  target: "target",
  unknownCommand: (name) => `There is no command ${name}.`,
};

export function describeCommandError(error: CommandError): string {
  return describe(error, TOOLS);
}
