/**
 * Terminal states for tests of the app: a screen that knows text, line ends and clearing, and the signals that agents'
 * programs send (OSC 7501, titles, bracketed paste). It throws at a sequence that it does not know, so that no test
 * depends on what it does not do.
 */
import type {
  ProgramStatus,
  SnapshotPart,
  TerminalModes,
  TerminalState,
  TerminalStateOptions,
  TerminalStates,
} from "../../core/ports/terminal_state.ts";
import { decodeUtf8 } from "../../core/terminals/utf8.ts";

const STATUSES: readonly ProgramStatus[] = ["idle", "working", "blocked", "done", "error"];
// deno-lint-ignore no-control-regex
const OSC = /^\u001b\](\d+);([^\u0007\u001b]*)(?:\u0007|\u001b\\)/;
// deno-lint-ignore no-control-regex
const CSI = /^\u001b\[([?\d;]*)([A-Za-z])/;

export function createFakeStates(): TerminalStates {
  return { create: createFakeState };
}

function createFakeState(options: TerminalStateOptions): TerminalState {
  const parts: SnapshotPart[] = [];
  let { size } = options;
  let offset = 0;
  let text = "";
  let title = "";
  let bracketedPaste = false;
  let disposed = false;

  function write(bytes: Uint8Array): void {
    if (disposed) throw new Error("written after it was disposed");
    parts.push({ kind: "bytes", bytes: bytes.slice() });
    offset += bytes.length;
    for (let rest = new TextDecoder().decode(bytes); rest !== "";) {
      const osc = OSC.exec(rest);
      const csi = osc === null ? CSI.exec(rest) : null;
      const sequence = osc?.[0] ?? csi?.[0];
      if (osc !== null) takeOsc(osc[1] ?? "", osc[2] ?? "");
      else if (csi !== null) takeCsi(csi[1] ?? "", csi[2] ?? "");
      else if (rest.startsWith("\u001b")) throw new Error(`an escape that this screen does not know: ${rest}`);
      else text += rest[0];
      rest = rest.slice(sequence?.length ?? 1);
    }
  }

  function takeOsc(code: string, payload: string): void {
    if (code === "0" || code === "2") {
      title = payload;
      options.onSignal({ kind: "title", title });
    } else if (code === "7501") takeStatus(payload);
    else throw new Error(`an OSC that this screen does not know: ${code}`);
  }

  function takeStatus(payload: string): void {
    const fields = new Map(
      payload.split(":").map((field) => {
        const at = field.indexOf("=");
        return [field.slice(0, at), field.slice(at + 1)];
      }),
    );
    const status = STATUSES.find((each) => each === fields.get("state"));
    if (status === undefined) throw new Error(`no program status: ${payload}`);
    const message = fields.get("msg");
    const decoded = message === undefined ? undefined : decodeUtf8(Uint8Array.fromBase64(message));
    options.onSignal({
      kind: "programStatus",
      status,
      ...(decoded === undefined ? {} : { message: decoded }),
    });
  }

  function takeCsi(parameters: string, final: string): void {
    if (final === "J") text = "";
    else if (parameters === "?2004" && (final === "h" || final === "l")) {
      bracketedPaste = final === "h";
      options.onSignal({ kind: "mode", mode: "bracketedPaste", on: bracketedPaste });
    } else if (final !== "H") throw new Error(`a CSI that this screen does not know: ${parameters}${final}`);
  }

  const modes = (): TerminalModes => ({
    bracketedPaste,
    applicationCursorKeys: false,
    alternateScreen: false,
    mouseTracking: false,
    focusEvents: false,
    kittyKeyboard: 0,
  });

  return {
    write,
    resize: (next) => {
      size = next;
    },
    offset: () => offset,
    backlogBytes: () => 0,
    digested: () => Promise.resolve(),
    read(scrollbackLines) {
      if (disposed) throw new Error("read after it was disposed");
      const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
      const screen = lines.slice(-size.rows);
      while (screen.length < size.rows) screen.push("");
      const above = lines.slice(0, -size.rows);
      const scrollback = scrollbackLines === 0 ? [] : above.slice(-Math.min(above.length, scrollbackLines));
      return Promise.resolve({
        screen,
        scrollback,
        cursor: { col: 0, row: 0 },
        title,
        size,
        modes: modes(),
        offset,
      });
    },
    snapshot: () => Promise.resolve({ size: options.size, parts: [...parts], offset }),
    since: () => undefined,
    clearStaleModes: () => new Uint8Array(),
    setColors() {},
    [Symbol.dispose]: () => void (disposed = true),
  };
}
