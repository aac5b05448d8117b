/**
 * The states of all sessions' terminals. They share what is scarce: a few emulators for the screens that are looked at,
 * and one queue for long work.
 */
import type { TerminalStates } from "../../core/ports/terminal_state.ts";
import { createJobQueue } from "./job_queue.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { createBlockPool } from "./output_log.ts";
import type { ScreenCache, ScreenOwner } from "./screens.ts";
import { createTerminalState } from "./state.ts";

function createScreenCache(maxScreens: number): ScreenCache {
  // A Set keeps the order of insertion: the first is the one not used for longest.
  const owners = new Set<ScreenOwner>();
  return {
    use(owner) {
      owners.delete(owner);
      owners.add(owner);
      const [oldest] = owners;
      if (owners.size <= maxScreens || oldest === undefined) return;
      owners.delete(oldest);
      oldest.giveUp();
    },
    remove: (owner) => void owners.delete(owner),
  };
}

export function createTerminalStates(limits: Limits = DEFAULT_LIMITS): TerminalStates {
  const services = {
    limits,
    blocks: createBlockPool(),
    cache: createScreenCache(limits.screens),
    jobs: createJobQueue(),
  };
  return { create: (options) => createTerminalState(options, services) };
}
