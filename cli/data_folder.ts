/** Where IdeA keeps what belongs to the person and to no project. */
import { join } from "node:path";

export interface Place {
  readonly os: "linux" | "macos" | "windows";
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
}

/** IDEA_HOME, else the usual place of the system. */
export function dataFolderOf({ os, env, home }: Place): string {
  if (env["IDEA_HOME"]) return env["IDEA_HOME"];
  switch (os) {
    case "linux":
      return join(env["XDG_DATA_HOME"] || join(home, ".local", "share"), "IdeA");
    case "macos":
      return join(home, "Library", "Application Support", "IdeA");
    case "windows":
      return join(env["APPDATA"] || join(home, "AppData", "Roaming"), "IdeA");
  }
}
