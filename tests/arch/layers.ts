/**
 * Who may import whom: the table of the architecture as data, used by the lint plugin. A new top folder has to be
 * entered here, with a decision, before anything in it may import anything.
 *
 * Paths are relative to the repository's root, with "/".
 */

export type Layer =
  | "core base"
  | "core area"
  | "core ports"
  | "core app"
  | "adapters"
  | "mcp"
  | "web/api"
  | "web/server"
  | "web/ui"
  | "cli"
  | "main"
  | "build"
  | "tests";

export interface ImportFact {
  /** The importing file. */
  readonly from: string;
  /** The imported file. */
  readonly to: string;
  /** `import type`: nothing is left of it at run time. */
  readonly typeOnly: boolean;
}

const CORE: readonly Layer[] = ["core base", "core area", "core ports", "core app"];

/**
 * What each layer may import besides itself. Why some of it:
 * web/api is the schemas and types of the HTTP door, shared by the server that serves it and by its clients;
 * web/server mounts the MCP endpoint on its one port;
 * cli is a client of the HTTP door, finds the server by the file it leaves (web/server/instance.ts), opens the window
 * and runs the stdio bridge;
 * build is packaging and the UI bundle: main makes the bundle when it runs from source; what the files of the page are
 * it has from web/api, as the server that gives them.
 */
const ALLOWED: Readonly<Record<Layer, readonly Layer[]>> = {
  "core base": [],
  "core area": ["core base"],
  "core ports": ["core base", "core area"],
  "core app": CORE,
  "adapters": CORE,
  "mcp": CORE,
  "web/api": CORE,
  "web/server": [...CORE, "web/api", "mcp"],
  "web/ui": ["core base", "core area"],
  "cli": [...CORE, "adapters", "mcp", "web/api", "web/server"],
  "main": [...CORE, "adapters", "mcp", "web/api", "web/server", "cli", "build"],
  "build": ["core base", "web/api"],
  "tests": [...CORE, "adapters", "mcp", "web/api", "web/server", "web/ui", "cli", "main", "build"],
};

/** Layers of which another layer may take types only, so that no schema comes into the page; `but` is made for it. */
const TYPES_ONLY: readonly { readonly from: Layer; readonly to: Layer; readonly but: readonly string[] }[] = [
  { from: "web/ui", to: "web/api", but: ["web/api/client.ts"] },
];

/** core/events.ts names facts of areas and ports; the other files at the top of core stand under everything. */
const EVENTS = "core/events.ts";

export function layerOf(path: string): Layer | undefined {
  const [top = "", second = ""] = path.split("/");
  if (path.startsWith("core/")) {
    if (path === EVENTS || second === "ports") return "core ports";
    if (second === "app") return "core app";
    return second.endsWith(".ts") ? "core base" : "core area";
  }
  if (top === "web") return second === "api" || second === "server" || second === "ui" ? `web/${second}` : undefined;
  if (top === "adapters" || top === "mcp" || top === "cli" || top === "tests") return top;
  if (top === "packaging") return "build";
  if (path === "main.ts" || path === "serve.ts") return "main";
  return /^build(_[a-z]+)?\.ts$/.test(path) ? "build" : undefined;
}

/** Undefined when the import is in order, else why it is not. */
export function whyForbidden({ from, to, typeOnly }: ImportFact): string | undefined {
  const fromLayer = layerOf(from);
  const toLayer = layerOf(to);
  if (fromLayer === undefined) return `${from} is in no layer`;
  if (toLayer === undefined) return `${to} is in no layer`;
  if (fromLayer === toLayer) {
    return fromLayer === "adapters" && !isOwnAdapter(from, to)
      ? "an adapter imports its own folder and adapters/process only"
      : undefined;
  }
  if (ALLOWED[fromLayer].includes(toLayer)) return undefined;
  const types = TYPES_ONLY.find((pair) => pair.from === fromLayer && pair.to === toLayer);
  if (types === undefined) return `${fromLayer} may not import ${toLayer}`;
  return typeOnly || types.but.includes(to)
    ? undefined
    : `${fromLayer} may import types of ${toLayer} only ("import type")`;
}

function isOwnAdapter(from: string, to: string): boolean {
  const folder = to.split("/")[1];
  return folder === "process" || folder === from.split("/")[1];
}

/** Packages that belong to one place. What is not listed may be imported wherever no rule below forbids it. */
const HOMES: readonly { readonly packages: RegExp; readonly homes: readonly string[] }[] = [
  // The width of characters must be the same on the server and in the page.
  {
    packages: /^@xterm\/addon-unicode-graphemes/,
    homes: ["adapters/terminal_state/", "web/ui/terminal/", "tests/"],
  },
  { packages: /^@xterm\/(xterm|addon-(?!serialize))/, homes: ["web/ui/terminal/", "tests/"] },
  { packages: /^@xterm\/(headless|addon-serialize)/, homes: ["adapters/terminal_state/", "tests/"] },
  { packages: /^(preact|@preact\/)/, homes: ["web/ui/", "tests/"] },
  { packages: /^@modelcontextprotocol\//, homes: ["mcp/", "tests/"] },
  { packages: /^esbuild$/, homes: ["build_ui.ts", "tests/"] },
  { packages: /^playwright-core$/, homes: ["tests/"] },
  // The one user of child processes has the allow-list, the time limits and the output caps.
  { packages: /^node:child_process$/, homes: ["adapters/process/", "tests/"] },
];

/** The same for a package or a built-in module: "zod", "node:path", "@xterm/xterm/css/xterm.css". */
export function whyPackageForbidden(from: string, name: string): string | undefined {
  if (/^(npm|jsr|https?|data|blob):/.test(name)) return "packages are named in deno.json, with their exact version";
  if (from.startsWith("core/")) return name === "zod" ? undefined : `core imports no package but zod, not ${name}`;
  if (from.startsWith("web/ui/") && name.startsWith("node:")) return "the page runs in a browser";
  const rule = HOMES.find(({ packages }) => packages.test(name));
  if (rule === undefined || rule.homes.some((home) => from.startsWith(home))) return undefined;
  return `${name} belongs to ${rule.homes.filter((home) => home !== "tests/").join(", ") || "tests"}`;
}
