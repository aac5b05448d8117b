// What our terminals are measured against: Node with node-pty and ws, and nothing that is not needed.
//
//   node peer_server.mjs MODULES raw|state
//
// raw: bytes go on as they come, nothing is kept. state: output is gathered for 5 ms and a headless terminal keeps the
// screen and 10,000 lines, which a client that attaches gets as a whole. MODULES is the folder that holds node_modules.
//
// POST /sessions {argv} answers {sessionId}, DELETE /sessions/ID ends one. On a socket, the text "A<ID>" attaches, the
// text "M" says that the snapshot is over; binary frames of the client are those of ours (input, acknowledge), with a
// channel that means nothing here: a socket shows one session. The port is printed as a line.
import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import process from "node:process";

const [modules, mode] = process.argv.slice(2);
const require = createRequire(`${modules}/package.json`);
const { spawn } = require("@lydell/node-pty");
const { WebSocketServer } = require("ws");
const keepsState = mode === "state";
const { Terminal } = keepsState ? require("@xterm/headless") : {};
const { SerializeAddon } = keepsState ? require("@xterm/addon-serialize") : {};

const SIZE = { cols: 120, rows: 40 };
const SCROLLBACK_LINES = 10_000;
const GATHER_MS = 5;
const HIGH_WATER_BYTES = 512 * 1024;
const LOW_WATER_BYTES = 256 * 1024;
const PENDING_HIGH_BYTES = 1024 * 1024;
const PENDING_LOW_BYTES = 512 * 1024;
const INPUT = 0x41;

const sessions = new Map();
let lastId = 0;

function openSession(argv) {
  const session = {
    pty: spawn(argv[0], argv.slice(1), { ...SIZE, name: "xterm-256color", encoding: null }),
    socket: undefined,
    unacknowledgedBytes: 0,
    pendingBytes: 0,
    paused: false,
    gathered: [],
    gathering: undefined,
    ended: false,
  };
  if (keepsState) {
    session.terminal = new Terminal({ ...SIZE, scrollback: SCROLLBACK_LINES, allowProposedApi: true });
    session.serializer = new SerializeAddon();
    session.terminal.loadAddon(session.serializer);
  }
  session.pty.onData((bytes) => keepsState ? takeWithState(session, bytes) : deliver(session, bytes));
  session.pty.onExit(() => {
    session.ended = true;
    // Output may come after the exit.
    setTimeout(() => session.socket?.close(1000), 20);
  });
  const sessionId = String(++lastId);
  sessions.set(sessionId, session);
  return sessionId;
}

function takeWithState(session, bytes) {
  session.pendingBytes += bytes.length;
  session.terminal.write(bytes, () => {
    session.pendingBytes -= bytes.length;
    pace(session);
  });
  session.gathered.push(bytes);
  session.gathering ??= setTimeout(() => flush(session), GATHER_MS);
  pace(session);
}

function flush(session) {
  clearTimeout(session.gathering);
  session.gathering = undefined;
  const { gathered } = session;
  session.gathered = [];
  if (gathered.length > 0) deliver(session, gathered.length === 1 ? gathered[0] : Buffer.concat(gathered));
}

function deliver(session, bytes) {
  if (session.socket === undefined) return;
  session.socket.send(bytes);
  session.unacknowledgedBytes += bytes.length;
  pace(session);
}

function pace(session) {
  const { unacknowledgedBytes, pendingBytes, paused } = session;
  if (!paused && (unacknowledgedBytes > HIGH_WATER_BYTES || pendingBytes > PENDING_HIGH_BYTES)) {
    session.paused = true;
    session.pty.pause();
  } else if (paused && unacknowledgedBytes < LOW_WATER_BYTES && pendingBytes < PENDING_LOW_BYTES) {
    session.paused = false;
    session.pty.resume();
  }
}

function attach(session, socket) {
  const begin = () => {
    session.unacknowledgedBytes = 0;
    if (keepsState) {
      session.gathered = [];
      const snapshot = Buffer.from(session.serializer.serialize({ scrollback: SCROLLBACK_LINES }));
      socket.send(snapshot);
      session.unacknowledgedBytes += snapshot.length;
    }
    session.socket = socket;
    socket.send("M");
    pace(session);
  };
  // What was written before is part of the screen.
  if (keepsState) session.terminal.write("", begin);
  else begin();
}

function takeFrames(socket) {
  let session;
  socket.on("message", (message, isBinary) => {
    if (!isBinary) {
      session = sessions.get(message.toString().slice(1));
      if (session === undefined) socket.close(1008);
      else attach(session, socket);
    } else if (message[0] === INPUT) session?.pty.write(message.subarray(9));
    else if (session !== undefined) {
      session.unacknowledgedBytes -= message.readUInt32LE(5);
      pace(session);
    }
  });
  socket.on("close", () => {
    if (session === undefined || session.socket !== socket) return;
    session.socket = undefined;
    session.unacknowledgedBytes = 0;
    pace(session);
  });
}

function closeSession(sessionId) {
  const session = sessions.get(sessionId);
  sessions.delete(sessionId);
  if (session === undefined) return;
  session.socket?.close(1000);
  session.socket = undefined;
  if (session.paused) session.pty.resume();
  if (!session.ended) session.pty.kill("SIGKILL");
  session.terminal?.dispose();
}

const server = createServer((request, response) => {
  if (request.method === "DELETE") {
    closeSession(request.url.split("/").pop());
    return response.end("{}");
  }
  let body = "";
  request.on("data", (part) => body += part);
  request.on("end", () => response.end(JSON.stringify({ sessionId: openSession(JSON.parse(body).argv) })));
});
new WebSocketServer({ server, perMessageDeflate: false }).on("connection", takeFrames);
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
