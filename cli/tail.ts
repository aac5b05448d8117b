/**
 * `idea tail`: what a terminal puts out, as it comes, over the window's socket. It is a viewer that has no size and no
 * focus, so the terminal keeps the size that its window gives it.
 *
 * On a terminal the bytes go out as they are; in a pipe without their escape sequences, since a program reads them.
 */
import type { SessionId } from "../core/ids.ts";
import { err, ok, type Result } from "../core/result.ts";
import { decodeServerFrame, encodeClientFrame } from "../core/terminals/wire.ts";
import type { ClientMessage, ServerMessage } from "../web/api/socket_messages.ts";
import { chooseAgent, chooseTerminal } from "./choose.ts";
import { argument, type Context } from "./context.ts";
import type { Failure } from "./failure.ts";

const CHANNEL = 1;
/** An escape sequence that is longer than this is none. */
const MAX_SEQUENCE_CHARS = 4_096;

export async function tail(context: Context): Promise<Result<void, Failure>> {
  const session = await chooseSession(context, argument(context.parsed, 0));
  if (!session.ok) return session;
  const write = context.world.isTerminal ? context.world.out : plainWriter((text) => context.world.out(text));
  return await follow(context, session.value, write);
}

/** The session of an agent, else the terminal of that id. */
async function chooseSession(context: Context, given: string): Promise<Result<SessionId, Failure>> {
  const chosen = await chooseAgent(context, given);
  if (chosen.ok) {
    const { sessionId, name } = chosen.value.agent;
    return sessionId === undefined ? err({ kind: "agentNotRunning", agent: name }) : ok(sessionId);
  }
  if (chosen.error.kind !== "noSuchAgent") return chosen;
  const terminal = await chooseTerminal(context, given);
  return terminal.ok ? ok(terminal.value.sessionId) : chosen;
}

function follow(
  { server }: Context,
  sessionId: SessionId,
  write: (bytes: Uint8Array) => void,
): Promise<Result<void, Failure>> {
  const { promise, resolve } = Promise.withResolvers<Result<void, Failure>>();
  const url = `${server.url.replace(/^http/, "ws")}/api/socket?viewer=tail-${crypto.randomUUID()}`;
  // The browser's types, which the page needs, hide that Deno's sockets take headers.
  const socket: WebSocket = Reflect.construct(WebSocket, [url, {
    headers: { authorization: `Bearer ${server.token}` },
  }]);
  socket.binaryType = "arraybuffer";
  const say = (message: ClientMessage) => socket.send(JSON.stringify(message));
  const end = (result: Result<void, Failure>) => {
    resolve(result);
    socket.close();
  };
  // What the terminal showed before is replayed first, between snapshotBegin and snapshotEnd: acknowledged, not printed.
  let isLive = false;

  function takeFrame(data: ArrayBuffer): void {
    const frame = decodeServerFrame(new Uint8Array(data));
    if (!frame.ok) return end(err({ kind: "connectionLost", reason: frame.error.kind }));
    switch (frame.value.kind) {
      case "output":
        if (isLive) write(frame.value.bytes);
        socket.send(encodeClientFrame({ kind: "acknowledge", channel: CHANNEL, bytes: frame.value.bytes.length }));
        return;
      case "snapshotBegin":
        isLive = false;
        return;
      case "snapshotEnd":
        isLive = true;
        return;
      case "exited":
      case "closed":
        return end(ok());
    }
  }

  function takeMessage(message: ServerMessage): void {
    switch (message.type) {
      case "ping":
        return say({ type: "pong" });
      case "attachFailed":
        return end(err({ kind: "noSuchTerminal", given: sessionId }));
    }
  }

  socket.onopen = () => say({ type: "attach", channel: CHANNEL, sessionId, visible: true, focused: false });
  socket.onmessage = ({ data }) => {
    if (data instanceof ArrayBuffer) takeFrame(data);
    else takeMessage(JSON.parse(data));
  };
  socket.onclose = ({ reason }) => resolve(err({ kind: "connectionLost", reason: reason || "it was closed" }));
  return promise;
}

/**
 * Escape sequences of ECMA-48: CSI; the strings OSC, DCS, SOS, PM and APC up to BEL or ST; and the short ones.
 * The last alternatives are control characters that mean something to a terminal only.
 */
const SEQUENCES =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-OQ-WYZ\\`-~]|[\0-\u0008\u000b-\u001a\u001c-\u001f\u007f]/g;

/** Takes escape sequences out, also those and the characters that are cut by the end of a chunk. */
export function plainWriter(write: (text: string) => void): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder();
  let cut = "";
  return (bytes) => {
    const text = cut + decoder.decode(bytes, { stream: true });
    // A sequence is cut when its beginning is left; one that does not end is none.
    const plain = text.replace(SEQUENCES, "");
    const start = plain.indexOf("\u001b");
    const isCut = start >= 0 && plain.length - start < MAX_SEQUENCE_CHARS;
    cut = isCut ? plain.slice(start) : "";
    const whole = isCut ? plain.slice(0, start) : plain;
    if (whole !== "") write(whole);
  };
}
