/** The window's composition: builds the state, connects to the server, draws. */
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { createApiClient } from "../api/client.ts";
import { App } from "./components/App.tsx";
import { listenToKeys } from "./interactions/keys.ts";
import { startWindow } from "./interactions/start.ts";
import { createTerminalHost } from "./interactions/terminal_host.ts";
import { createStore, type Store } from "./state/store.ts";
import { createTerminalConnection } from "./terminal/connection.ts";

const place = document.getElementById("app");
if (place !== null) openWindow(place);

function openWindow(element: HTMLElement): void {
  const light = matchMedia("(prefers-color-scheme: light)");
  const systemIsLight = signal(light.matches);
  light.addEventListener("change", () => {
    systemIsLight.value = light.matches;
  });
  const store = createStore({
    api: createApiClient({ baseUrl: "" }),
    memory: localStorage,
    languages: navigator.languages,
    systemIsLight,
    nowMs: Date.now,
    later: (run, ms) => void setTimeout(run, ms),
  });
  effect(() => {
    document.documentElement.dataset.theme = store.settings.theme.value;
    document.documentElement.lang = store.settings.language.value;
  });
  reportBugs(store);
  listenToKeys(store, globalThis.window);
  const connection = createTerminalConnection({
    url: `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/api/socket`,
    onEvent: store.receive,
    onEventsMissed: () => void store.projects.refreshAll(),
  });
  effect(() => store.follow(connection.state.value));
  addEventListener("online", () => connection.wake());
  document.addEventListener("visibilitychange", () => document.hidden || connection.wake());
  render(<App store={store} terminals={createTerminalHost(store, connection)} />, element);
  void startWindow(store);
}

/** A bug of the page is said, not hidden in a console that nobody has open. */
function reportBugs(store: Store): void {
  const tell = (reason: unknown) => {
    const detail = reason instanceof Error ? reason.message : String(reason);
    store.toasts.error({ title: store.settings.words.value.toasts.bug, detail });
  };
  addEventListener("error", (event) => tell(event.error ?? event.message));
  addEventListener("unhandledrejection", (event) => tell(event.reason));
}
