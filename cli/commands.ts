/**
 * The commands of `idea` as data: what they are called, take and do. Parsing, help and the completions of every shell
 * are made of this table, so they cannot disagree.
 */

export interface OptionSpec {
  /** What a value stands for; left out: the option is a switch. */
  readonly value?: string;
  readonly summary: string;
}

export interface CommandSpec {
  readonly summary: string;
  /** Names of the positional arguments, the optional ones in brackets. A last one with "..." takes all that follow. */
  readonly takes: readonly string[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly aliases?: readonly string[];
  /** More to say in `idea help COMMAND`. */
  readonly notes?: readonly string[];
}

const PROJECT: OptionSpec = {
  value: "PROJECT",
  summary: "id, name or folder of the project (default: the one of the current folder)",
};
const JSON_OPTION: OptionSpec = { summary: "print JSON" };
const scripted = { project: PROJECT, json: JSON_OPTION } as const;
const SCROLLBACK: OptionSpec = { value: "LINES", summary: "lines above the screen to print too (default 0)" };
const FROM_STDIN = "With - for the text it is read from standard input.";

export const COMMANDS = {
  "open": {
    summary: "open a folder as a project in the window; starts the server if none runs",
    takes: ["[PATH]"],
    options: { json: JSON_OPTION },
    notes: ["This is what `idea` alone does, without a folder."],
  },
  "serve": {
    summary: "run the server in the foreground",
    takes: [],
    options: {
      "host": { value: "ADDRESS", summary: "address to listen on (default 127.0.0.1)" },
      "port": { value: "PORT", summary: "port to listen on (default: any free one)" },
      "no-open": { summary: "do not open the window" },
      "token-file": { value: "FILE", summary: "file with the token that opens the server; made when missing" },
    },
  },
  "mcp": {
    summary: "speak MCP over standard input and output, as a bridge to the server; starts one when none runs",
    takes: [],
    options: {
      project: PROJECT,
      agent: { value: "AGENT", summary: "speak as that agent of the project, which must be running" },
    },
    aliases: ["mcp-server"],
  },
  "agents": { summary: "list the agents of a project", takes: [], options: scripted },
  "launch": {
    summary: "start an agent",
    takes: ["AGENT"],
    options: { fresh: { summary: "begin a new conversation instead of resuming the last one" }, ...scripted },
  },
  "stop": { summary: "stop an agent", takes: ["AGENT"], options: scripted },
  "ask": {
    summary: "give an agent a task and print its answer",
    takes: ["AGENT", "TASK"],
    options: {
      wait: { value: "SECONDS", summary: "how long to wait for the answer (default 600); 0 only queues the task" },
      from: { value: "NAME", summary: "what the asker is called in the conversation" },
      ...scripted,
    },
    notes: [FROM_STDIN],
  },
  "send": {
    summary: "queue a message to an agent, as if written in its composer",
    takes: ["AGENT", "TEXT"],
    options: scripted,
    notes: [FROM_STDIN],
  },
  "screen": {
    summary: "print what an agent's terminal shows",
    takes: ["AGENT"],
    options: { scrollback: SCROLLBACK, ...scripted },
  },
  "tail": {
    summary: "print what an agent's terminal puts out, as it comes",
    takes: ["AGENT"],
    options: { project: PROJECT },
    notes: ["Takes the id of a terminal too. Ends when the program ends, or with Ctrl+C."],
  },
  "explain": {
    summary: "why an agent is in its state, and what its queue waits for",
    takes: ["AGENT"],
    options: scripted,
  },
  "limit": {
    summary: "say what is known of an agent's usage limit, or tell IdeA",
    takes: ["AGENT"],
    options: {
      until: {
        value: "TIME",
        summary: "it lasts until then (15:40, 3pm, 2h 15m, 2026-12-01 09:00); it goes on after it",
      },
      hold: { summary: "it does not go on by itself when its limit is over" },
      over: { summary: "it has no limit, or none any more: what waits goes on now" },
      ...scripted,
    },
  },
  "redeliver": {
    summary: "type a task again that was not taken: one that explain shows as needing attention",
    takes: ["TICKET"],
    options: scripted,
  },
  "terminals list": { summary: "list the terminals of a project", takes: [], options: scripted },
  "terminals open": {
    summary: "open a terminal with the shell, or with a program",
    takes: ["[PROGRAM...]"],
    options: {
      cwd: { value: "FOLDER", summary: "folder to start in (default: the project's root)" },
      title: { value: "TEXT", summary: "title of the terminal" },
      size: { value: "COLSxROWS", summary: "size (default 80x24)" },
      ...scripted,
    },
    notes: ["Options of the program follow after --: idea terminals open -- htop -d 5"],
  },
  "terminals write": {
    summary: "type text into a terminal",
    takes: ["TERMINAL", "TEXT"],
    options: {
      paste: { summary: "paste it, as the program in it wants pastes" },
      enter: { summary: "press Enter after it" },
      ...scripted,
    },
    notes: [FROM_STDIN],
  },
  "terminals resize": { summary: "change the size of a terminal", takes: ["TERMINAL", "COLSxROWS"], options: scripted },
  "terminals read": {
    summary: "print what a terminal shows",
    takes: ["TERMINAL"],
    options: { scrollback: SCROLLBACK, ...scripted },
  },
  "terminals wait": {
    summary: "wait until a line of a terminal matches a regular expression, and print that line",
    takes: ["TERMINAL", "PATTERN"],
    options: { timeout: { value: "SECONDS", summary: "how long to wait (default 30)" }, ...scripted },
  },
  "terminals close": { summary: "end a terminal and its program", takes: ["TERMINAL"], options: scripted },
  "layouts list": { summary: "list the layouts of a project", takes: [], options: scripted },
  "layouts add": { summary: "make a layout with one empty cell, and show it", takes: ["NAME"], options: scripted },
  "layouts rename": { summary: "give a layout another name", takes: ["LAYOUT", "NAME"], options: scripted },
  "layouts remove": { summary: "remove a layout; what runs in it goes on", takes: ["LAYOUT"], options: scripted },
  "layouts show": { summary: "show a layout in the window", takes: ["LAYOUT"], options: scripted },
  "layouts undo": { summary: "undo the last change of a layout", takes: ["LAYOUT"], options: scripted },
  "layouts redo": { summary: "redo the change that was undone", takes: ["LAYOUT"], options: scripted },
  "layouts change": {
    summary: "apply one operation to a layout: split, close, resize, move, merge, rows, columns, what cells show",
    takes: ["LAYOUT", "OPERATION"],
    options: scripted,
    notes: [
      'The operation is JSON, as for HTTP: {"op":"split","cellId":"...","side":"right"}; all are in /api/docs.',
      "The cells are in the tree that idea layouts --json prints.",
    ],
  },
  "doctor": {
    summary: "say what is installed, reachable and permitted, with the fix for each finding",
    takes: [],
    options: { json: JSON_OPTION },
  },
  "completions": { summary: "print the completions of bash, zsh, fish or powershell", takes: ["SHELL"], options: {} },
  "version": { summary: "print the version", takes: [], options: { json: JSON_OPTION } },
  "help": { summary: "explain a command", takes: ["[COMMAND...]"], options: {} },
} as const satisfies Readonly<Record<string, CommandSpec>>;

/** Commands of two words, by the first: what they are about. */
export const GROUPS: Readonly<Record<string, string>> = {
  terminals: "open, list, type into, read, wait for and close terminals",
  layouts: "list, add, name, remove, show and change the layouts of a project",
};

export type CommandName = keyof typeof COMMANDS;

/** In the order of the table, which is the order of help. */
export const COMMAND_NAMES = Object.keys(COMMANDS).filter(isCommandName);

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

export function specOf(name: CommandName): CommandSpec {
  return COMMANDS[name];
}

/** Exit codes, for scripts: these are promised. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  noServer: 3,
  notFound: 4,
  refused: 5,
  timedOut: 6,
  targetFailed: 7,
} as const;

export const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: "done",
  failed: "the server or this machine could not do it",
  usage: "the command line is wrong",
  noServer: "no server runs for this data folder, or it does not answer",
  notFound: "no such project, agent, terminal, layout or ticket",
  refused: "refused as things stand: already running, busy, a cycle, a name taken, not permitted",
  timedOut: "the wait ended first; the task goes on",
  targetFailed: "the agent failed, was stopped, or the task was cancelled",
};
