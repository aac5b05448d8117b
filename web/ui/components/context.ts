/** How components reach the store and the words, without passing them through every level. */
import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Store } from "../state/store.ts";
import type { Words } from "../words/en.ts";

const StoreContext = createContext<Store | undefined>(undefined);

export const StoreProvider = StoreContext.Provider;

export function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error("no store above this component");
  return store;
}

export function useWords(): Words {
  return useStore().settings.words.value;
}

/** The time, again and again, for what counts. */
export function useNow(everyMs: number): number {
  const { nowMs } = useStore();
  const [now, setNow] = useState(nowMs());
  useEffect(() => {
    const timer = setInterval(() => setNow(nowMs()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, nowMs]);
  return now;
}
