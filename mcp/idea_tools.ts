/** All tools of IdeA, in the order in which clients show them. A new tool is a file in tools/ and a line here. */
import type { CommandTool } from "./command_tool.ts";
import { askAgent } from "./tools/ask_agent.ts";
import { contextPropose } from "./tools/context_propose.ts";
import { contextRead } from "./tools/context_read.ts";
import { createSkill } from "./tools/create_skill.ts";
import { getTask } from "./tools/get_task.ts";
import { launchAgent } from "./tools/launch_agent.ts";
import { listAgents } from "./tools/list_agents.ts";
import { memoryRead } from "./tools/memory_read.ts";
import { memoryWrite } from "./tools/memory_write.ts";
import { reply } from "./tools/reply.ts";
import { setStatus } from "./tools/set_status.ts";
import { stopAgent } from "./tools/stop_agent.ts";
import { updateContext } from "./tools/update_context.ts";
import { waitReply } from "./tools/wait_reply.ts";

export const ideaTools: readonly CommandTool[] = [
  askAgent,
  waitReply,
  getTask,
  reply,
  listAgents,
  launchAgent,
  stopAgent,
  setStatus,
  contextRead,
  contextPropose,
  updateContext,
  memoryRead,
  memoryWrite,
  createSkill,
];
