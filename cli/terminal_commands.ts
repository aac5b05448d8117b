/** The commands about terminals: list, open, type into, resize, read, wait for text, close. */
import { err, ok, type Result } from "../core/result.ts";
import { formatScreen, MAX_SCROLLBACK } from "./agent_commands.ts";
import { readNumber, readSize } from "./arguments.ts";
import { chooseProject, chooseTerminal } from "./choose.ts";
import { argument, argumentOrStdin, type Context, during, formatTable, optionText } from "./context.ts";
import type { Failure } from "./failure.ts";

type Done = Promise<Result<void, Failure>>;

const WAIT_SECONDS = 30;
const MAX_WAIT_SECONDS = 600;

export async function list(context: Context): Done {
  const project = await chooseProject(context);
  if (!project.ok) return project;
  const { projectId } = project.value;
  const listed = during(
    "list the terminals",
    await context.api.call("GET /api/projects/{projectId}/terminals", {
      params: { projectId },
      query: { limit: 1_000 },
    }),
  );
  if (!listed.ok) return listed;
  const rows = listed.value.items.map(({ sessionId, pid, size, title, exit }) => [
    ...[sessionId, String(pid), `${size.cols}x${size.rows}`, formatExit(exit), title],
  ]);
  const text = rows.length === 0 ? "" : formatTable([["TERMINAL", "PID", "SIZE", "STATE", "TITLE"], ...rows]);
  context.print(listed.value.items, text);
  return ok();
}

type Exit = { readonly kind: "exited"; readonly code: number } | {
  readonly kind: "signalled";
  readonly signal: number;
};

function formatExit(exit: Exit | undefined): string {
  if (exit === undefined) return "running";
  return exit.kind === "exited" ? `exit ${exit.code}` : `signal ${exit.signal}`;
}

export async function open(context: Context): Done {
  const { parsed } = context;
  const given = optionText(parsed, "size");
  const size = given === undefined ? ok(undefined) : readSize(parsed.name, "--size", given);
  if (!size.ok) return size;
  const project = await chooseProject(context);
  if (!project.ok) return project;
  const [program, ...args] = parsed.args;
  const [cwd, title] = [optionText(parsed, "cwd"), optionText(parsed, "title")];
  const argv: [string, ...string[]] | undefined = program === undefined ? undefined : [program, ...args];
  const opened = during(
    "open a terminal",
    await context.api.call("POST /api/projects/{projectId}/terminals", {
      params: { projectId: project.value.projectId },
      body: {
        ...(argv !== undefined && { argv }),
        ...(cwd !== undefined && { cwd }),
        ...(title !== undefined && { title }),
        ...(size.value !== undefined && { size: size.value }),
      },
    }),
  );
  if (opened.ok) context.print(opened.value, opened.value.sessionId);
  return opened.ok ? ok() : opened;
}

export async function write(context: Context): Done {
  const chosen = await chooseTerminal(context, argument(context.parsed, 0));
  if (!chosen.ok) return chosen;
  const { paste, enter } = context.parsed.options;
  const text = await argumentOrStdin(context, 1);
  const parts = [
    ...(text === "" ? [] : [{ text, ...(paste === true && { paste: true }) }]),
    ...(enter === true ? [{ text: "\r" }] : []),
  ];
  for (const body of parts) {
    const written = during(
      "type into the terminal",
      await context.api.call("POST /api/projects/{projectId}/terminals/{sessionId}/input", {
        params: chosen.value,
        body,
      }),
    );
    if (!written.ok) return written;
  }
  context.print({ written: chosen.value.sessionId }, "");
  return ok();
}

export async function resize(context: Context): Done {
  const { parsed } = context;
  const size = readSize(parsed.name, "COLSxROWS", argument(parsed, 1));
  if (!size.ok) return size;
  const chosen = await chooseTerminal(context, argument(parsed, 0));
  if (!chosen.ok) return chosen;
  const resized = during(
    "change the size of the terminal",
    await context.api.call("POST /api/projects/{projectId}/terminals/{sessionId}/resize", {
      params: chosen.value,
      body: size.value,
    }),
  );
  if (resized.ok) context.print({ resized: chosen.value.sessionId, size: size.value }, "");
  return resized.ok ? ok() : resized;
}

export async function read(context: Context): Done {
  const scrollback = readNumber(context.parsed, "scrollback", { min: 0, max: MAX_SCROLLBACK });
  if (!scrollback.ok) return scrollback;
  const chosen = await chooseTerminal(context, argument(context.parsed, 0));
  if (!chosen.ok) return chosen;
  const text = during(
    "read the terminal",
    await context.api.call("GET /api/projects/{projectId}/terminals/{sessionId}/screen", {
      params: chosen.value,
      query: { scrollback: scrollback.value ?? 0 },
    }),
  );
  if (text.ok) context.print(text.value, formatScreen(text.value));
  return text.ok ? ok() : text;
}

export async function wait(context: Context): Done {
  const timeout = readNumber(context.parsed, "timeout", { min: 0, max: MAX_WAIT_SECONDS });
  if (!timeout.ok) return timeout;
  const chosen = await chooseTerminal(context, argument(context.parsed, 0));
  if (!chosen.ok) return chosen;
  const pattern = argument(context.parsed, 1);
  const waited = during(
    "wait for the terminal",
    await context.api.call("GET /api/projects/{projectId}/terminals/{sessionId}/wait", {
      params: chosen.value,
      query: { pattern, timeoutMs: (timeout.value ?? WAIT_SECONDS) * 1_000 },
    }),
  );
  if (!waited.ok) return waited;
  context.print(waited.value, waited.value.kind === "found" ? waited.value.line : "");
  switch (waited.value.kind) {
    case "found":
      return ok();
    case "timedOut":
      return err({ kind: "waitTimedOut", pattern });
    case "exited":
      return err({ kind: "waitEnded", pattern });
  }
}

export async function close(context: Context): Done {
  const chosen = await chooseTerminal(context, argument(context.parsed, 0));
  if (!chosen.ok) return chosen;
  const closed = during(
    "close the terminal",
    await context.api.call("DELETE /api/projects/{projectId}/terminals/{sessionId}", { params: chosen.value }),
  );
  if (closed.ok) context.print(closed.value, formatExit(closed.value.exit));
  return closed.ok ? ok() : closed;
}
