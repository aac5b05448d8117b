/** The page's state on a server in memory: reading, events, errors, what is shown meanwhile. */
import assert from "node:assert/strict";
import { signal } from "@preact/signals";
import type { ApiClient } from "../../web/api/client.ts";
import { createApiClient } from "../../web/api/client.ts";
import { launchAgent } from "../../web/ui/interactions/agents.ts";
import { sendMessage } from "../../web/ui/interactions/compose.ts";
import { createRefresher } from "../../web/ui/state/refresher.ts";
import { createStore, type Store } from "../../web/ui/state/store.ts";
import { agent, busyState, projectId } from "../helpers/page_scenario.ts";
import { createPageApi, type PageApi, PageProblem } from "../helpers/page_api.ts";

function setup(change: (api: PageApi) => void = () => {}): { readonly store: Store; readonly api: PageApi } {
  const api = createPageApi(busyState());
  change(api);
  const client: ApiClient = createApiClient({
    baseUrl: "http://page",
    fetch: (input, init) => api.fetch(new Request(input, init)),
  });
  const memory = new Map<string, string>();
  const store = createStore({
    api: client,
    memory: {
      getItem: (key) => memory.get(key) ?? null,
      setItem: (key, value) => void memory.set(key, value),
      removeItem: (key) => void memory.delete(key),
    },
    languages: ["en"],
    systemIsLight: signal(false),
    nowMs: () => 0,
    later: () => {},
  });
  store.follow("connected");
  return { store, api };
}

async function opened(change?: (api: PageApi) => void) {
  const made = setup(change);
  await made.store.projects.refresh();
  const project = made.store.projects.tabs.value.find((tab) => tab.id === projectId);
  assert.ok(project !== undefined);
  await project.refresh();
  return { ...made, project };
}

Deno.test("open projects are tabs, the one opened last is in front", async () => {
  const { store } = await opened();
  assert.deepEqual(store.projects.tabs.value.map((tab) => tab.view.value.name), ["blog", "acme-shop"]);
  assert.equal(store.projects.active.value?.id, projectId);
});

Deno.test("an event reads again what it concerns, and nothing else", async () => {
  const { store, api, project } = await opened();
  api.state.agents = [agent("Backend", { state: "blocked" })];
  const before = api.requests.length;
  store.receive({ kind: "agentStateChanged", projectId, agentId: "backend", state: "blocked", signal: "x", atMs: 1 });
  await project.refresh(["agents"]);
  assert.deepEqual(project.agents.value.map(({ name, state }) => [name, state]), [["Backend", "blocked"]]);
  assert.deepEqual([...new Set(api.requests.slice(before).map(({ key }) => key))], [
    "GET /api/projects/{projectId}/agents",
  ]);
});

Deno.test("what the server refuses is told with its hint, and what was shown stays", async () => {
  const { store, api, project } = await opened();
  api.on("GET /api/projects/{projectId}/agents", () => {
    throw new PageProblem({
      status: 500,
      code: "CORRUPT",
      title: "Unreadable",
      detail: "agents.json",
      hint: "Look at it.",
    });
  });
  await project.refresh(["agents"]);
  assert.equal(project.agents.value.length, 6);
  const [toast] = store.toasts.list.value;
  assert.deepEqual([toast?.title, toast?.detail, toast?.hint], ["Unreadable", "agents.json", "Look at it."]);
});

Deno.test("while the connection is lost its failures are the banner's, not toasts; 401 says that the window is out", async () => {
  const { store, api } = await opened();
  api.on("GET /api/projects", () => {
    throw new PageProblem({ status: 401, code: "UNAUTHORIZED", title: "No" });
  });
  await store.projects.refresh();
  assert.equal(store.connection.value, "refused");
  assert.deepEqual(store.toasts.list.value, []);
  store.follow("connected");
  assert.equal(store.connection.value, "refused");
});

Deno.test("an agent that lives elsewhere: the person chooses, and is told where", async () => {
  const { store, project } = await opened((api) =>
    api.on("POST /api/projects/{projectId}/agents/{agentId}/launch", () => {
      throw new PageProblem({ status: 409, code: "AGENT_ALREADY_RUNNING", title: "Running", nodeId: "cell-s-back" });
    })
  );
  const backend = project.agents.value[0];
  assert.ok(backend !== undefined);
  const [, , , empty] = project.geometry.value.cells;
  assert.ok(empty !== undefined);
  const launched = await launchAgent({ store, project, agentId: backend.agentId }, { cellId: empty.leaf.id });
  assert.equal(launched, false);
  const dialog = store.view.dialog.value;
  assert.ok(dialog?.kind === "alreadyRunning");
  assert.deepEqual([dialog.liveIn, dialog.wantedIn], ["cell-s-back", "cell-empty"]);
  assert.deepEqual(store.toasts.list.value, []);
});

Deno.test("an agent without a known profile is not launched: a profile is asked for", async () => {
  const { store, api, project } = await opened();
  const legacy = project.agents.value.find(({ name }) => name === "Legacy");
  assert.ok(legacy !== undefined);
  await launchAgent({ store, project, agentId: legacy.agentId });
  assert.equal(store.view.dialog.value?.kind, "changeProfile");
  assert.equal(api.requests.some(({ key }) => key.endsWith("/launch")), false);
});

Deno.test("a message that was not taken is reported as such, so that the composer keeps it", async () => {
  const { store, project } = await opened((api) =>
    api.on("POST /api/projects/{projectId}/agents/{agentId}/input", () => {
      throw new PageProblem({ status: 409, code: "BUSY", title: "Queue full" });
    })
  );
  const [backend] = project.agents.value;
  assert.ok(backend !== undefined);
  assert.equal(await sendMessage({ store, project, agentId: backend.agentId }, "hello"), false);
  assert.equal(store.toasts.list.value[0]?.title, "Queue full");
});

Deno.test("a setting is shown at once and taken back when the server refuses", async () => {
  const { store, api } = setup();
  let refuse: (() => void) | undefined;
  const asked = new Promise<void>((resolve) => refuse = resolve);
  api.on("PATCH /api/settings", () => {
    refuse?.();
    throw new PageProblem({ status: 500, code: "STORAGE", title: "Disk full" });
  });
  const change = store.settings.change({ theme: "light" });
  assert.equal(store.settings.theme.value, "light");
  await asked;
  await change;
  assert.equal(store.settings.theme.value, "dark");
});

Deno.test("focus is always on a cell of the layout: when its cell goes, the first one has it", async () => {
  const { api, project } = await opened();
  const last = project.geometry.value.cells.at(-1);
  project.focusCell(last?.leaf.id);
  assert.equal(project.focusedCell.value, "cell-empty");
  const [layout] = api.state.layouts.shop ?? [];
  assert.ok(layout !== undefined);
  const [first] = project.geometry.value.cells;
  assert.ok(first !== undefined);
  api.state.layouts = { shop: [{ ...layout, tree: { root: { type: "leaf", node: { id: first.leaf.id } } } }] };
  await project.refresh(["layouts"]);
  assert.equal(project.focusedCell.value, first.leaf.id);
});

Deno.test("many requests to read again cost one that runs and one after it", async () => {
  const ends: (() => void)[] = [];
  const { refresh } = createRefresher(() => new Promise((resolve) => ends.push(resolve)));
  const first = refresh();
  const later = [refresh(), refresh(), refresh()];
  assert.equal(ends.length, 1);
  ends[0]?.();
  await first;
  await Promise.resolve();
  await Promise.resolve();
  assert.equal(ends.length, 2);
  ends[1]?.();
  await Promise.all(later);
  assert.equal(ends.length, 2);
});
