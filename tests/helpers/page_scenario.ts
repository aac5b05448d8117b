/** A project in the middle of its day, for browser tests of the page: agents in every state, terminals, delegations. */
import { type AgentId, createId, type SessionId } from "../../core/ids.ts";
import type { LayoutNode } from "../../core/layout/tree.ts";
import { ProfileSchema } from "../../core/profiles/profile.ts";
import type { Agent, Layout, PageState, Profile, Terminal, Ticket } from "./page_api.ts";

export const projectId = createId("project", "shop");
const claude = createId("profile", "claude");
const codex = createId("profile", "codex");
const MINUTE = 60_000;

export function profile(id: Profile["id"], name: string, command: readonly [string, ...string[]]): Profile {
  const [program, ...args] = command;
  return { ...ProfileSchema.parse({ id, name, command: program, args }), id };
}

export function agent(id: string, change: Partial<Agent> = {}): Agent {
  return {
    agentId: createId("agent", id.toLowerCase()),
    projectId,
    name: id,
    profileId: claude,
    profileName: "Claude Code",
    skills: [],
    state: "stopped",
    stateSinceMs: Date.now() - 3 * MINUTE,
    queueLength: 0,
    ...change,
  };
}

export function terminal(id: string, change: Partial<Terminal> = {}): Terminal {
  return {
    sessionId: createId("session", id),
    projectId,
    pid: 100,
    title: id,
    size: { cols: 80, rows: 24 },
    startedAtMs: Date.now() - 30 * MINUTE,
    ...change,
  };
}

export function leaf(id: string, shows: { readonly agent?: string; readonly session?: string } = {}): LayoutNode {
  return {
    type: "leaf",
    node: {
      id: createId("cell", id),
      ...(shows.agent === undefined ? {} : { agent: createId("agent", shows.agent) }),
      ...(shows.session === undefined ? {} : { session: createId("session", shows.session) }),
    },
  };
}

export function split(id: string, direction: "row" | "column", children: readonly LayoutNode[]): LayoutNode {
  return { type: "split", node: { id, direction, children: children.map((node) => ({ node, weight: 1 })) } };
}

let tickets = 0;
export function ticket(from: string, to: string, change: Partial<Ticket> = {}): Ticket {
  const at = Date.now() - (20 - tickets) * MINUTE;
  return {
    id: createId("ticket", `t${++tickets}`),
    from: from === "human" ? { kind: "human" } : { kind: "agent", agentId: createId("agent", from) },
    to: createId("agent", to),
    kind: from === "human" ? "message" : "delegation",
    task: "Do it",
    state: "queued",
    receipts: [{ state: "queued", atMs: at, cause: "asked" }],
    repeat: 0,
    needsAttention: false,
    reminded: false,
    ...change,
  };
}

/** No project, no profile: what a new person sees. */
export function emptyState(): PageState {
  return {
    projects: [],
    agents: [],
    tickets: [],
    terminals: [],
    layouts: {},
    profiles: [],
    detected: [
      {
        profile: profile(claude, "Claude Code", ["claude"]),
        installed: true,
        program: "/home/sam/.local/bin/claude",
        version: "2.1.0",
        chosen: false,
      },
      {
        profile: profile(codex, "Codex", ["codex", "--no-alt-screen"]),
        installed: true,
        program: "/usr/local/bin/codex",
        version: "0.98.0",
        chosen: false,
      },
      { profile: profile(createId("profile", "gemini"), "Gemini CLI", ["gemini"]), installed: false, chosen: false },
    ],
    conversations: [],
    messages: [],
    settings: {},
    screens: {},
  };
}

const worker = (id: string, session: string, change: Partial<Agent>) =>
  agent(id, { sessionId: createId("session", session), cellId: createId("cell", `cell-${session}`), ...change });

/** Seen on the screen; the agent goes on by itself a little after it. */
export function limitFor(ms: number): NonNullable<Agent["limit"]> {
  const resetsAtMs = Date.now() + ms;
  const detail = "5-hour limit reached ∙ resets 3:40pm";
  return { source: "screen", sinceMs: Date.now() - MINUTE, detail, resetsAtMs, resumesAtMs: resetsAtMs + 70_000 };
}

export function busyState(): PageState {
  const agents = [
    worker("Backend", "s-back", {
      state: "working",
      queueLength: 2,
      worksOn: { ticketId: createId("ticket", "w1"), from: "Lead", summary: "Add the cart endpoint with stock checks" },
    }),
    worker("Frontend", "s-front", { state: "blocked", profileId: codex, profileName: "Codex" }),
    worker("Reviewer", "s-review", { state: "limited", limit: limitFor(67 * MINUTE), queueLength: 1 }),
    agent("Lead", { state: "idle", sessionId: createId("session", "s-lead") }),
    agent("Docs", { state: "stopped" }),
    withoutProfile(agent("Legacy")),
  ];
  return {
    ...emptyState(),
    projects: [project("shop", "acme-shop", true), project("blog", "blog", true), project("infra", "infra", false)],
    profiles: [profile(claude, "Claude Code", ["claude"]), profile(codex, "Codex", ["codex", "--no-alt-screen"])],
    agents,
    terminals: [
      ...["s-back", "s-front", "s-review", "s-lead"].map((id, index) => terminal(id, agentOf(agents, index))),
      terminal("s-shell", { title: "npm run dev", folder: "/home/sam/acme-shop" }),
    ],
    layouts: {
      blog: [layout("blog", leaf("blog-cell"))],
      shop: [layout(
        "main",
        split("root", "row", [
          leaf("cell-s-back", { agent: "backend", session: "s-back" }),
          split("side", "column", [
            leaf("cell-s-front", { agent: "frontend", session: "s-front" }),
            split("low", "row", [leaf("cell-s-shell", { session: "s-shell" }), leaf("cell-empty")]),
          ]),
        ]),
      )],
    },
    tickets: [
      ticket("lead", "backend", {
        task: "Add the cart endpoint with stock checks",
        state: "accepted",
        receipts: [
          { state: "queued", atMs: Date.now() - 9 * MINUTE, cause: "asked by Lead" },
          { state: "delivered", atMs: Date.now() - 8 * MINUTE, cause: "hook UserPromptSubmit" },
          { state: "accepted", atMs: Date.now() - 8 * MINUTE, cause: "idea_get_task" },
        ],
      }),
      ticket("human", "backend", { task: "Then write the migration for the orders table\nand keep the old ids." }),
      ticket("lead", "backend", { task: "Check that the price is an integer of cents everywhere" }),
      ticket("backend", "reviewer", {
        task: "Review src/cart.ts for race conditions",
        receipts: [{ state: "queued", atMs: Date.now() - 4 * MINUTE, cause: "asked by Backend" }],
      }),
      ticket("lead", "frontend", {
        task: "Which component renders the price?",
        state: "answered",
        receipts: [
          { state: "queued", atMs: Date.now() - 15 * MINUTE, cause: "asked by Lead" },
          { state: "delivered", atMs: Date.now() - 15 * MINUTE, cause: "hook" },
          { state: "answered", atMs: Date.now() - 14 * MINUTE, cause: "idea_reply" },
        ],
        reply: { text: "PriceTag in src/ui/price.tsx.", atMs: Date.now() - 14 * MINUTE, source: "reply" },
      }),
      ticket("human", "frontend", { task: "Fix the layout of the basket", state: "delivering", needsAttention: true }),
    ],
    conversations: [
      conversation("c1", [{ kind: "human" }, agentParty("backend")], 42),
      conversation("c2", [agentParty("lead"), agentParty("backend")], 7),
    ],
    messages: [
      message("m1", { kind: "human" }, "prompt", "Please add the cart endpoint."),
      message("m2", agentParty("backend"), "response", MARKDOWN),
    ],
    screens,
  };
}

export function layout(id: string, root: LayoutNode): Layout {
  return {
    layoutId: createId("layout", id),
    name: "Main",
    kind: "terminal",
    active: true,
    canUndo: true,
    canRedo: false,
    tree: { root },
  };
}

function agentOf(agents: readonly Agent[], index: number): { readonly agentId?: AgentId } {
  const found = agents[index];
  return found === undefined ? {} : { agentId: found.agentId };
}

function withoutProfile({ profileName: _, ...rest }: Agent): Agent {
  return rest;
}

function project(id: string, name: string, open: boolean) {
  return {
    projectId: createId("project", id),
    name,
    root: `/home/sam/${name}`,
    open,
    createdAtMs: 1,
    lastOpenedAtMs: Date.now() - 3 * MINUTE,
    problems: [],
  };
}

function agentParty(id: string) {
  return { kind: "agent" as const, agentId: createId("agent", id) };
}

function conversation(id: string, parties: readonly Ticket["from"][], messageCount: number) {
  const name = (party: Ticket["from"]) =>
    party.kind === "agent" ? party.agentId.charAt(0).toUpperCase() + party.agentId.slice(1) : "You";
  return {
    conversationId: createId("conversation", id),
    parties: parties.map((party) => ({ party, name: name(party) })),
    messageCount,
    lastAtMs: Date.now() - 5 * MINUTE,
    hasHandoff: true,
  };
}

function message(id: string, source: Ticket["from"], role: "prompt" | "response", text: string) {
  const thinking = role === "response" ? { thinking: "The stock has to be read and written in one transaction." } : {};
  return { id: createId("message", id), atMs: Date.now() - 5 * MINUTE, source, role, text, ...thinking };
}

export const sessionId = (id: string): SessionId => createId("session", id);

/** With what must never become an element or a request. */
const MARKDOWN = `## Done
**POST /cart** checks the stock, in \`src/cart.ts\`:
- one transaction <img src="https://example.com/x.png" onerror="document.title='owned'">
- [notes](https://example.com/notes), [no](javascript:document.title='owned')
- ![chart](https://example.com/chart.png)

\`\`\`ts
const stock = await tx.stock.lock(item.id);
\`\`\`

| step | time |
| --- | --- |
| lock | 2 ms |
`;

const screens: Readonly<Record<string, string>> = {
  "s-back": [
    "\x1b[1;35m✻\x1b[0m \x1b[1mClaude Code\x1b[0m \x1b[90mv2.1.0 · acme-shop\x1b[0m",
    "",
    "\x1b[90m>\x1b[0m [IdeA · task from Lead · ticket t1] Add the cart endpoint with stock checks",
    "",
    "\x1b[32m●\x1b[0m I read \x1b[36msrc/routes/cart.ts\x1b[0m and the stock table first.",
    "",
    "\x1b[32m●\x1b[0m \x1b[1mUpdate\x1b[0m(src/routes/cart.ts)",
    "  \x1b[90m⎿\x1b[0m  \x1b[32m+ await db.transaction(async (tx) => {\x1b[0m",
    "     \x1b[32m+   const stock = await tx.stock.lock(item.id);\x1b[0m",
    "     \x1b[31m- const stock = await db.stock.get(item.id);\x1b[0m",
    "",
    "\x1b[33m✳ Thinking…\x1b[0m \x1b[90m(34s · ↑ 1.2k tokens · esc to interrupt)\x1b[0m",
  ].join("\r\n"),
  "s-front": [
    "\x1b[1m>_ OpenAI Codex\x1b[0m \x1b[90m(v0.98.0)\x1b[0m",
    "",
    "\x1b[33mAllow command?\x1b[0m  npm run build",
    "  \x1b[36m› 1. Yes\x1b[0m",
    "    2. No, and tell Codex what to do differently",
  ].join("\r\n"),
  "s-shell": [
    "\x1b[32msam@box\x1b[0m:\x1b[34m~/acme-shop\x1b[0m$ npm run dev",
    "",
    "  \x1b[32mVITE\x1b[0m ready in \x1b[1m214\x1b[0m ms",
    "  ➜  Local: \x1b[36mhttp://localhost:5173/\x1b[0m",
    "",
  ].join("\r\n"),
};
