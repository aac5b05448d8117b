#!/usr/bin/env -S deno run -A
/**
 * A program that behaves in its terminal as aider's documentation says of aider: a prompt `> `, a message of several
 * lines by paste or between a line `{` and a line `}`, Enter to send it, a waiting mark, then the answer, a question with
 * `(Y)es/(N)o`, Ctrl-C that interrupts. It is no proof of how aider behaves.
 *
 * It is strict: an option that aider does not document, a key that it has no use for, or anything typed while it works
 * ends it with an error. What its "model" does is in the message: it writes the file that the message names as the answer,
 * with what is between 《 and 》 in the message or in the file that it is told to read; [[ask]] asks its person before,
 * [[slow]] takes until it is interrupted.
 */
import { dirname } from "node:path";
import process from "node:process";

const WITH_VALUE = ["--read", "--chat-history-file", "--input-history-file"];
const FLAGS = ["--no-check-update", "--no-show-release-notes"];
const CONFIRM = "Create new file? (Y)es/(N)o [Yes]: ";
const WORK_MS = 700;

for (let at = 0; at < Deno.args.length; at++) {
  const arg = Deno.args[at] ?? "";
  if (arg === "--version") {
    console.log("aider 0.0.0 (none)");
    Deno.exit(0);
  }
  if (WITH_VALUE.includes(arg)) at++;
  else if (!FLAGS.includes(arg)) fail(`unrecognized arguments: ${arg}`);
}

type Mode = "prompt" | "working" | "asking";
let mode: Mode = "prompt";
let line = "";
let block: string[] | undefined;
let confirm: ((yes: boolean) => void) | undefined;
let interrupt: (() => void) | undefined;

function show(text: string): void {
  process.stdout.write(text.replaceAll("\n", "\r\n"));
}

function fail(why: string): never {
  show(`\nerror: ${why}\n`);
  Deno.exit(3);
}

function prompt(): void {
  mode = "prompt";
  line = "";
  show("\n> ");
}

function onKeys(keys: string): void {
  for (let rest = keys; rest !== "";) {
    const paste = /^\u001b\[200~([\s\S]*?)\u001b\[201~/.exec(rest);
    const key = paste?.[0] ?? String.fromCodePoint(rest.codePointAt(0) ?? 0);
    rest = rest.slice(key.length);
    if (key === "\u0003") onInterrupt();
    else if (mode === "working") fail(`typed while it works: ${JSON.stringify(key)}`);
    else if (mode === "asking") onAnswer(key);
    else if (paste !== null) insert((paste[1] ?? "").replaceAll(/\r\n?/g, "\n"));
    else onKey(key);
  }
}

function onKey(key: string): void {
  if (key === "\r") return onEnter();
  if (key === "\u0015") {
    line = "";
    return show("\r\u001b[K> ");
  }
  if (key < " " || key === "\u007f") fail(`no such key: ${JSON.stringify(key)}`);
  insert(key);
}

function insert(text: string): void {
  line += text;
  show(text);
}

function onEnter(): void {
  if (block === undefined && line === "{") block = [];
  else if (block !== undefined && line !== "}") block.push(line);
  else {
    const message = block?.join("\n") ?? line;
    block = undefined;
    if (message.trim() === "") return prompt();
    mode = "working";
    void work(message);
    return;
  }
  line = "";
  show("\n");
}

function onInterrupt(): void {
  if (mode === "working") return interrupt?.();
  show("\n\n^C again to exit\n");
  prompt();
}

function onAnswer(key: string): void {
  if (!/[yn\r]/i.test(key)) fail(`no answer to the question: ${JSON.stringify(key)}`);
  if (key !== "\r") return insert(key);
  show("\n");
  confirm?.(!line.startsWith("n"));
}

async function work(message: string): Promise<void> {
  show("\n");
  const interrupted = await spin(message.includes("[[slow]]") ? 60_000 : WORK_MS);
  if (interrupted) {
    show("\n\n^C KeyboardInterrupt\n");
    return prompt();
  }
  const task = /Read the task in (\S+), then/.exec(message)?.[1];
  const whole = task === undefined ? message : Deno.readTextFileSync(task);
  const answer = /《([\s\S]*?)》/.exec(whole)?.[1];
  const [, form = "", path] = /Answer by writing (\{.*\}) to (\S+)/.exec(message) ?? [];
  if (answer === undefined || path === undefined) {
    show(`I see ${message.split("\n").length} lines.\n\nTokens: 1k sent, 1k received.\n`);
    return prompt();
  }
  if (message.includes("[[ask]]") && !await asked(path)) return prompt();
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeTextFileSync(path, form.replace('"..."', JSON.stringify(answer)));
  show(`${path}\n\`\`\`\n${answer}\n\`\`\`\n\nTokens: 1k sent, 1k received.\nApplied edit to ${path}\n`);
  prompt();
}

function asked(path: string): Promise<boolean> {
  mode = "asking";
  line = "";
  show(`${path}\n${CONFIRM}`);
  return new Promise((resolve) => confirm = resolve).then((yes) => {
    mode = "working";
    return yes === true;
  });
}

/** Resolves whether it was interrupted. */
function spin(ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const drawing = setInterval(() => show("\r░█ Waiting for fake/model"), 100);
    const done = (interrupted: boolean) => {
      clearInterval(drawing);
      clearTimeout(ending);
      show("\r\u001b[K");
      resolve(interrupted);
    };
    const ending = setTimeout(() => done(false), ms);
    interrupt = () => done(true);
  });
}

process.stdin.setRawMode(true);
process.stdin.setEncoding("utf8");
process.stdin.on("data", (keys) => onKeys(String(keys)));
show(
  "─────────────\nAider v0.0.0\nModel: fake/model with whole edit format\nGit repo: none\nRepo-map: disabled\n\u001b[?2004h",
);
prompt();
