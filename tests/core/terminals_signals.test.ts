/** What programs say besides text: what is a signal, and what is none. */
import assert from "node:assert/strict";
import { parseOscSignal, parseTitle, type TerminalSignal } from "../../core/terminals/signals.ts";

const base64 = (text: string) => new TextEncoder().encode(text).toBase64();
const long = (length: number) => "x".repeat(length);

const SIGNALS: readonly (readonly [osc: number, payload: string, signal: TerminalSignal])[] = [
  [7, "file://host/a%20b/%C3%A9", { kind: "folder", path: "/a b/é" }],
  [7, "file:///a", { kind: "folder", path: "/a" }],
  [7, "kitty-shell-cwd://host/a%20b", { kind: "folder", path: "/a%20b" }],
  [7, "file:///C:/x", { kind: "folder", path: "C:/x" }],
  [7, "file:///c:/x", { kind: "folder", path: "c:/x" }],
  [7, "file:///CC:/x", { kind: "folder", path: "/CC:/x" }],
  [7, `file:///${long(4095)}`, { kind: "folder", path: `/${long(4095)}` }],
  [9, "9;C:\\x", { kind: "folder", path: "C:\\x" }],
  [9, '9;"/a b"', { kind: "folder", path: "/a b" }],
  [9, "4;0", { kind: "progress", state: "none", percent: 0 }],
  [9, "4;0;50", { kind: "progress", state: "none", percent: 0 }],
  [9, "4;1;7", { kind: "progress", state: "normal", percent: 7 }],
  [9, "4;2;100", { kind: "progress", state: "error", percent: 100 }],
  [9, "4;3", { kind: "progress", state: "indeterminate", percent: 0 }],
  [9, "4;3;", { kind: "progress", state: "indeterminate", percent: 0 }],
  [9, "4;4;999", { kind: "progress", state: "paused", percent: 100 }],
  [9, "done", { kind: "notification", title: "", body: "done" }],
  [9, "1 of 2", { kind: "notification", title: "", body: "1 of 2" }],
  [9, "123;x", { kind: "notification", title: "", body: "123;x" }],
  [9, "a\x1b[31m\x7f\u009bb", { kind: "notification", title: "", body: "a[31mb" }],
  [9, long(3000), { kind: "notification", title: "", body: long(2048) }],
  [52, `c;${base64("hé")}`, { kind: "clipboard", text: "hé" }],
  [52, `;${base64("x")}`, { kind: "clipboard", text: "x" }],
  [52, `pqs07;${base64("lines\nof it")}`, { kind: "clipboard", text: "lines\nof it" }],
  [52, `c;aMO\n p`, { kind: "clipboard", text: "hé" }],
  [52, "c;", { kind: "clipboard", text: "" }],
  [133, "A", { kind: "mark", mark: "A" }],
  [133, "A;cl=m;aid=1", { kind: "mark", mark: "A" }],
  [133, "B", { kind: "mark", mark: "B" }],
  [133, "C;x", { kind: "mark", mark: "C" }],
  [133, "D", { kind: "mark", mark: "D" }],
  [133, "D;", { kind: "mark", mark: "D" }],
  [133, "D;0", { kind: "mark", mark: "D", exitCode: 0 }],
  [133, "D;-1;aid=3", { kind: "mark", mark: "D", exitCode: -1 }],
  [133, "D;aid=3", { kind: "mark", mark: "D" }],
  [777, "notify;title;body;more", { kind: "notification", title: "title", body: "body;more" }],
  [777, "notify;title", { kind: "notification", title: "title", body: "" }],
  [777, `notify;${long(600)};\x07b`, { kind: "notification", title: long(512), body: "b" }],
  [777, `notify;t;${long(3000)}`, { kind: "notification", title: "t", body: long(2048) }],
  ...(["idle", "working", "blocked", "done", "error"] as const).map((status) =>
    [7501, `state=${status}`, { kind: "programStatus", status }] as const
  ),
  [7501, `app=x\x07:state=done:kind=${long(70)}:msg=${base64("é\n!")}`, {
    kind: "programStatus",
    status: "done",
    app: "x",
    reason: long(64),
    message: "é!",
  }],
  [7501, `state=idle:app=${long(70)}:msg=${base64(long(3000))}`, {
    kind: "programStatus",
    status: "idle",
    app: long(64),
    message: long(2048),
  }],
  [7501, "state=idle:msg=***", { kind: "programStatus", status: "idle" }],
  [7501, "state=idle:odd:=x", { kind: "programStatus", status: "idle" }],
];

Deno.test("signals: what programs say", () => {
  for (const [osc, payload, signal] of SIGNALS) {
    assert.deepEqual(parseOscSignal(osc, payload), signal, `OSC ${osc};${payload.slice(0, 60)}`);
  }
});

const NONE: readonly (readonly [osc: number, payload: string])[] = [
  [7, "http://host/a"],
  [7, "file://host"],
  [7, "file:///%zz"],
  [7, "file:///a%0Ab"],
  [7, "file:///a%C2%9Bb"],
  [7, ""],
  [7, `file:///${long(4096)}`],
  [9, ""],
  [9, "1"],
  [9, "12;x"],
  [9, "4;5"],
  [9, "4;1;1234"],
  [9, "9;"],
  [9, "9;a\x07b"],
  [52, "c;?"],
  [52, "c;a"],
  [52, "x;aGk="],
  [52, "aGk="],
  [52, "c;aGk=;x"],
  [133, "E"],
  [133, "AB"],
  [133, ""],
  [777, "other;a;b"],
  [777, ""],
  [7501, "?"],
  [7501, ""],
  [7501, "state=odd"],
  [7501, "app=x"],
  [7501, `${"a=b:".repeat(16)}state=idle`],
  [1, "x"],
  [8, ";x"],
  [1337, "File=:x"],
];

Deno.test("signals: what is malformed is none", () => {
  for (const [osc, payload] of NONE) {
    assert.equal(parseOscSignal(osc, payload), undefined, `OSC ${osc};${payload.slice(0, 60)}`);
  }
});

Deno.test("signals: a title is one line of bounded length", () => {
  assert.equal(parseTitle("a\n\x1b[31m\x7f\u0085b"), "a[31mb");
  assert.equal(parseTitle(long(600)), long(512));
});
