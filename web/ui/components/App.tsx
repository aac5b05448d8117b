/** The whole window. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Store } from "../state/store.ts";
import type { TerminalHost } from "../state/terminal_host.ts";
import { ConnectionBanner } from "./ConnectionBanner.tsx";
import { StoreProvider, useStore } from "./context.ts";
import { Dialogs } from "./Dialogs.tsx";
import { Grid } from "./Grid.tsx";
import { Home } from "./Home.tsx";
import { NeedsYou } from "./NeedsYou.tsx";
import { Sidebar } from "./Sidebar.tsx";
import { TerminalHostProvider } from "./TerminalPane.tsx";
import { ThreadReader } from "./ThreadReader.tsx";
import { Toasts } from "./Toasts.tsx";
import { TopBar } from "./TopBar.tsx";

export function App({ store, terminals }: { readonly store: Store; readonly terminals: TerminalHost }): JSX.Element {
  return (
    <StoreProvider value={store}>
      <TerminalHostProvider value={terminals}>
        <Window />
      </TerminalHostProvider>
    </StoreProvider>
  );
}

function Window(): JSX.Element {
  const store = useStore();
  const { projects, view } = store;
  const active = projects.active.value;
  const title = active?.view.value.name;
  const waiting = store.attention.value.length;
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${title === undefined ? "" : `${title} – `}IdeA`;
  }, [title, waiting]);
  return (
    <div class="window">
      <TopBar />
      <ConnectionBanner />
      <div class="workspace">
        {active !== undefined && <Sidebar project={active} />}
        <main class="stage">
          {/* Every open project stays mounted, so that its terminals keep what they show. */}
          {projects.tabs.value.map((tab) => <Grid key={tab.id} project={tab} hidden={tab !== active} />)}
          {projects.loaded.value && active === undefined && <Home />}
        </main>
        {active !== undefined && view.openThread.value !== undefined && (
          <ThreadReader key={view.openThread.value} project={active} conversationId={view.openThread.value} />
        )}
      </div>
      {view.needsYouOpen.value && <NeedsYou />}
      <Dialogs />
      <Toasts />
    </div>
  );
}
