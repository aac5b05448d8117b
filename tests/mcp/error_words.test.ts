/** What a model reads of an error is the same at each door, but for what it may do next, which has that door's names. */
import assert from "node:assert/strict";
import { createId } from "../../core/ids.ts";
import type { CommandError } from "../../core/orchestration/commands.ts";
import { FILE_ACTIONS } from "../../core/orchestration/file_requests.ts";
import { composeFileResponse } from "../../core/orchestration/file_responses.ts";
import { err } from "../../core/result.ts";
import { describeCommandError } from "../../mcp/errors.ts";
import { ideaTools } from "../../mcp/idea_tools.ts";

const ticket = createId("ticket", "t1");
const agentId = createId("agent", "ben");

/** One of each kind: a new kind does not compile before it is here. */
const errors: { readonly [K in CommandError["kind"]]: Extract<CommandError, { readonly kind: K }> } = {
  invalid: { kind: "invalid", issues: [{ path: "task", message: "too long" }] },
  unknownCommand: { kind: "unknownCommand", name: "dance" },
  agentNotFound: { kind: "agentNotFound", target: "Eve", known: [] },
  ambiguousAgent: { kind: "ambiguousAgent", target: "Ben", matches: ["b1", "b2"] },
  unknownProfile: { kind: "unknownProfile", profile: "x" },
  agentAlreadyRunning: { kind: "agentAlreadyRunning", agentId, nodeId: undefined },
  agentNotRunning: { kind: "agentNotRunning", agentId },
  cycle: { kind: "cycle", path: ["Ada", "Ben", "Ada"] },
  ticketNotFound: { kind: "ticketNotFound", ticket },
  ticketNotYours: { kind: "ticketNotYours", ticket },
  ticketClosed: { kind: "ticketClosed", ticket, state: "answered" },
  nothingInWork: { kind: "nothingInWork" },
  queueFull: { kind: "queueFull", target: "Ben", limit: 1_000 },
  targetFailed: { kind: "targetFailed", ticket, target: "Ben", failure: { kind: "noReply" } },
  ticketCancelled: { kind: "ticketCancelled", ticket, by: "byPerson" },
  launchFailed: { kind: "launchFailed", target: "Ben", detail: "no program" },
  forbidden: { kind: "forbidden", what: "this" },
  conflict: { kind: "conflict", what: "that" },
  storage: { kind: "storage", detail: "diskFull" },
};

Deno.test("errors: every kind has words at both doors, with names of that door only, and those exist", () => {
  const notCalled = () => Promise.reject(new Error("no tool is called"));
  const tools: readonly string[] = ideaTools.map((create) => create(notCalled).name);
  for (const error of Object.values(errors)) {
    const byTool = describeCommandError(error);
    const byFile = composeFileResponse("agent.message", err(error)).detail;
    for (const text of [byTool, byFile]) assert.match(text, /^\S.*\.$/, error.kind);
    assert.doesNotMatch(byTool, /\bagent\.[a-z]+/, error.kind);
    assert.doesNotMatch(byFile, /idea_/, error.kind);
    for (const [name] of byTool.matchAll(/idea_[a-z_]+/g)) assert.ok(tools.includes(name), name);
    for (const [name] of byFile.matchAll(/\bagent\.[a-z]+/g)) assert.ok(FILE_ACTIONS.includes(name), name);
    // Up to the first full stop it is the same fact.
    if (error.kind !== "unknownCommand") assert.equal(byTool.split(". ")[0], byFile.split(". ")[0]);
  }
});
