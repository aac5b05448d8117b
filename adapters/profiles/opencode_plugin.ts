/**
 * The plugin that IdeA gives to its own runs of opencode: it tells, a JSON line each, what happens in that process, and
 * writes down what was said. So which conversation is this agent's is never guessed from what lies on the disk.
 *
 * It is a text, since opencode runs it in its own process, from the run folder. What must stay true: a turn has one
 * record of its end, whatever opencode repeats; records come in the order of the events; an error in here harms nobody.
 */
export const PLUGIN_FILE = "opencode_plugin.js";
export const PLUGIN_RECORDS_FILE = "hooks.jsonl";

export const OPENCODE_PLUGIN = `// Made by IdeA for this run of opencode.
import { appendFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const append = (path, row) => appendFileSync(path, JSON.stringify(row) + "\\n");
const tell = (row) => append(pathOf("${PLUGIN_RECORDS_FILE}"), row);
const transcriptOf = (session) => pathOf("transcript-" + session.replace(/[^\\w-]/g, "") + ".jsonl");

function textOf(parts, type) {
  const own = (parts ?? []).filter((part) => part.type === type && !part.synthetic && !part.ignored);
  return own.map((part) => part.text ?? "").join("\\n").trim();
}

export const IdeA = async ({ client }) => {
  const startedAtMs = Date.now();
  const busy = new Set();
  const asking = new Set();
  const children = new Map();
  const written = new Set();
  let waiting = false;
  let session;
  let turn = {};
  let error;

  const tellBusy = () => tell({ type: "busy", ...turn });

  async function isChild(id) {
    if (!children.has(id)) {
      const { data } = await client.session.get({ path: { id } });
      children.set(id, data?.parentID !== undefined);
    }
    return children.get(id);
  }

  // What was said since the last time; gives the answer of the last turn.
  async function transcribe(id) {
    const { data } = await client.session.messages({ path: { id }, query: { limit: 100 } });
    let answer;
    for (const { info, parts } of data ?? []) {
      const role = info.role === "user" ? "prompt" : "response";
      const text = textOf(parts, "text");
      if (role === "prompt") answer = undefined;
      // A summary is no answer, and neither is what an error cut.
      if (role === "response" && (info.summary === true || info.error || !info.time.completed)) continue;
      if (role === "response" && text !== "") answer = text;
      const thinking = role === "response" ? textOf(parts, "reasoning") : "";
      if (written.has(info.id) || info.time.created < startedAtMs || (text === "" && thinking === "")) continue;
      written.add(info.id);
      append(transcriptOf(id), { key: info.id, atMs: info.time.created, role, text, thinking });
    }
    return answer;
  }

  async function onIdle(id) {
    if (!busy.delete(id)) return;
    let answer;
    try {
      if (!(await isChild(id))) answer = await transcribe(id);
    } finally {
      if (busy.size === 0) {
        asking.clear();
        waiting = false;
        tell({ type: "idle", turn: turn.turn, answer: error === undefined ? answer : undefined, error });
        error = undefined;
        turn = {};
      }
    }
  }

  function onStatus(id, status) {
    if (status.type === "idle") return onIdle(id);
    const first = busy.size === 0 || waiting;
    busy.add(id);
    waiting = status.type === "retry";
    if (waiting) tell({ type: "retry", message: status.message, nextAtMs: status.next });
    else if (first) tellBusy();
  }

  function onAnswered(id) {
    if (asking.delete(id) && asking.size === 0 && busy.size > 0) tellBusy();
  }

  function onEvent({ type, properties }) {
    switch (type) {
      case "session.created":
      case "session.updated":
        return void children.set(properties.info.id, properties.info.parentID !== undefined);
      case "session.status":
        return onStatus(properties.sessionID, properties.status);
      case "session.error":
        if (properties.error?.name === "MessageAbortedError" || properties.sessionID !== session) return;
        error = {
          name: properties.error?.name,
          message: properties.error?.data?.message,
          status: properties.error?.data?.statusCode,
          body: properties.error?.data?.responseBody?.slice(0, 4_000),
        };
        return;
      case "permission.asked":
        asking.add(properties.id);
        return tell({ type: "asked", what: [properties.permission, ...(properties.patterns ?? [])].join(" ") });
      case "question.asked":
        asking.add(properties.id);
        return tell({ type: "asked", what: properties.questions?.[0]?.question ?? "a question" });
      case "permission.replied":
      case "question.replied":
      case "question.rejected":
        return onAnswered(properties.requestID);
    }
  }

  async function onMessage({ sessionID }, { message, parts }) {
    if (await isChild(sessionID)) return;
    session = sessionID;
    turn = { turn: message.id, prompt: textOf(parts, "text") };
    tell({ type: "conversation", session, transcript: transcriptOf(session) });
    // Else the turn begins when opencode says so; a message may ask for no answer.
    if (busy.size > 0) tellBusy();
  }

  let chain = Promise.resolve();
  const inOrder = (work) => chain = chain.then(work).catch((failure) => tell({ type: "defect", message: String(failure) }));

  tell({ type: "started" });
  return {
    event: ({ event }) => void inOrder(() => onEvent(event)),
    "chat.message": (input, output) => void inOrder(() => onMessage(input, output)),
  };
};
`;
