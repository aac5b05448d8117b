/** What a command line is run in: the terminal, the folder, the environment. Tests give one of their own. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import process from "node:process";
import { dataFolderOf } from "./data_folder.ts";

export interface World {
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
  /** Absolute. */
  readonly dataFolder: string;
  /** Standard output is a terminal: a person reads it. */
  readonly isTerminal: boolean;
  out(chunk: string | Uint8Array): void;
  err(line: string): void;
  readStdin(): Promise<string>;
}

export function thisWorld(): World {
  const { os } = Deno.build;
  const env = Deno.env.toObject();
  const cwd = Deno.cwd();
  const system = os === "windows" ? "windows" : os === "darwin" ? "macos" : "linux";
  return {
    env,
    cwd,
    dataFolder: resolve(cwd, dataFolderOf({ os: system, env, home: homedir() })),
    isTerminal: Deno.stdout.isTerminal(),
    out: (chunk) => void process.stdout.write(chunk),
    err: (line) => void process.stderr.write(`${line}\n`),
    readStdin: () => text(process.stdin),
  };
}
