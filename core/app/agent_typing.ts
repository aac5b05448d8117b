/**
 * Types into one agent's terminal what the mediator decided, step by step, and reports how it went. One typing at a time;
 * the mediator sees to that, and the chain here keeps the keys of two effects apart.
 */
import type { AgentId } from "../ids.ts";
import {
  countEchoes,
  planClear,
  planDelivery,
  planInterrupt,
  planKeys,
  planSubmit,
  type TypingStep,
} from "../orchestration/delivery.ts";
import type { MediatorInput } from "../orchestration/mediator_inputs.ts";
import { type MediatorState, slotOf } from "../orchestration/mediator_state.ts";
import type { Clock } from "../ports/clock.ts";
import type { LiveAgent } from "./live_agent.ts";
import type { Terminals } from "./terminals.ts";

/** How long a program may take to show that it took what was submitted; the slowest measured one needs 2.5 s. */
const CONFIRM_MS = 4_000;
/** A CLI without any sign of its state counts as having taken the line when it wrote something after it. */
const OUTPUT_CONFIRM_MS = 1_500;
/** An interrupted program may put the prompt back into its input, a moment later. */
const INTERRUPT_SETTLE_MS = 400;
/** Keys of no delivery; those are counted from 1. */
const NO_TYPING = 0;
/** Between two looks for what was typed. */
const ECHO_INTERVAL_MS = 100;

type Echo = Extract<TypingStep, { readonly kind: "echo" }>;

/** stopped: before the submit, or the terminal took no more. notShown: the program showed nothing of what was typed. */
type Typed = "submitted" | "stopped" | "notShown";

export interface TypingPorts {
  readonly terminals: Terminals;
  readonly clock: Clock;
  readonly state: () => MediatorState;
  readonly submit: (input: MediatorInput) => void;
  readonly onDefect: (error: unknown) => void;
}

export interface AgentTyping extends Disposable {
  /** The line of a task or a reminder. */
  lastLine(): string | undefined;
  /** What the program must be told before any task, when it takes its context no other way. */
  typeFirst(text: string): void;
  typeLine(text: string, typingNo: number): void;
  submitAgain(typingNo: number): void;
  stop(typingNo: number): void;
  clearInput(): void;
  /** Resolves when the keys are sent. */
  interrupt(): Promise<void>;
  /** Leaves the dialog that a limit has opened, if it is still there. */
  leaveLimitDialog(): Promise<void>;
}

export function createAgentTyping(ports: TypingPorts, live: LiveAgent): AgentTyping {
  const { terminals, clock, submit } = ports;
  const { agentId, sessionId, profile } = live;
  const timers = new Set<Disposable>();
  /** Those who wait for a time that will not come once this is disposed. */
  const waiting = new Set<() => void>();
  const stopped = new Set<number>();
  /** What the program asked for last, as it is heard: to build its screen for that would cost more than the typing. */
  let bracketedPaste = false;
  const listening = terminals.listen(sessionId, {
    onSignal: (heard) => {
      if (heard.kind === "mode" && heard.mode === "bracketedPaste") bracketedPaste = heard.on;
    },
  });
  let chain: Promise<void> = Promise.resolve();
  let disposed = false;
  let lastLine: string | undefined;

  const after = (work: () => Promise<void>) =>
    chain = chain.then(() => disposed ? undefined : work()).catch(ports.onDefect);

  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        timers.delete(timer);
        waiting.delete(done);
        resolve();
      };
      const timer = clock.startTimer(ms, done);
      timers.add(timer);
      waiting.add(done);
    });
  }

  /** Resolves whether it is shown more often than before. */
  async function isShown({ text, timeoutMs }: Echo, before: number): Promise<boolean> {
    const endMs = clock.monotonicMs() + timeoutMs;
    while (await countShown(text) <= before) {
      if (disposed || clock.monotonicMs() >= endMs) return false;
      await wait(ECHO_INTERVAL_MS);
    }
    return true;
  }

  async function countShown(text: string): Promise<number> {
    const read = await terminals.read(sessionId, 0);
    return read.ok ? countEchoes(read.value.screen, text) : 0;
  }

  async function carryOut(steps: readonly TypingStep[], typingNo: number): Promise<Typed> {
    const echo = steps.find((step) => step.kind === "echo");
    const before = echo === undefined ? 0 : await countShown(echo.text);
    for (const step of steps) {
      if (step.kind === "wait") await wait(step.ms);
      else if (step.kind === "echo") {
        if (await isShown(step, before)) continue;
        // Thrown away, or still on its way: then it is gone again before the next try comes.
        await clear();
        return "notShown";
      } else {
        if (disposed || stopped.has(typingNo)) return "stopped";
        if (!terminals.write(sessionId, step.data, "delivery").ok) return "stopped";
        // In the same turn: before anything that the program makes of it can be heard.
        if (step.kind === "submit" && typingNo !== NO_TYPING) submit({ kind: "deliverySubmitted", agentId, typingNo });
      }
    }
    return "submitted";
  }

  async function typeLine(text: string, typingNo: number): Promise<void> {
    // Closed before a key of it was typed, or nowhere to type it.
    if (stopped.has(typingNo) || terminals.get(sessionId) === undefined) {
      return submit({ kind: "deliveryUnconfirmed", agentId, typingNo, typed: false });
    }
    const because = whyNot(live);
    if (because !== undefined) return submit({ kind: "deliveryDeferred", agentId, typingNo, because });
    lastLine = text;
    await carryOutAndConfirm(planDelivery(profile.input, text, { bracketedPaste }), typingNo);
  }

  /** Keys of a person that come meanwhile are not read between ours. */
  async function carryOutAlone(steps: readonly TypingStep[], typingNo: number): Promise<Typed> {
    const held = terminals.hold(sessionId);
    try {
      return await carryOut(steps, typingNo);
    } finally {
      if (held.ok) held.value[Symbol.dispose]();
    }
  }

  async function carryOutAndConfirm(steps: readonly TypingStep[], typingNo: number): Promise<void> {
    const typed = await carryOutAlone(steps, typingNo);
    if (disposed) return;
    if (typed !== "submitted") {
      return submit({ kind: "deliveryUnconfirmed", agentId, typingNo, typed: typed === "stopped" });
    }
    if (live.tellsState) return giveUpAfter(typingNo, CONFIRM_MS);
    const submittedAtMs = clock.nowMs();
    await wait(OUTPUT_CONFIRM_MS);
    if (disposed) return;
    submit(
      live.lastOutputAtMs() >= submittedAtMs
        ? { kind: "deliveryConfirmed", agentId, typingNo, signal: "output" }
        : { kind: "deliveryUnconfirmed", agentId, typingNo, typed: true },
    );
  }

  /** The program's busy sign, its reply or its fetching of the task confirm by themselves. */
  function giveUpAfter(typingNo: number, ms: number): void {
    const timer = clock.startTimer(ms, () => {
      timers.delete(timer);
      if (isTyping(ports.state(), agentId, typingNo)) {
        submit({ kind: "deliveryUnconfirmed", agentId, typingNo, typed: true });
      }
    });
    timers.add(timer);
  }

  async function clear(): Promise<void> {
    const cols = terminals.get(sessionId)?.size.cols ?? 0;
    await carryOut(planClear(lastLine ?? "", cols), NO_TYPING);
  }

  return {
    lastLine: () => lastLine,
    typeFirst: (text) =>
      void after(async () => {
        await carryOutAlone(planDelivery(profile.input, text, { bracketedPaste }), NO_TYPING);
      }),
    typeLine: (text, typingNo) => void after(() => typeLine(text, typingNo)),
    submitAgain: (typingNo) => void after(() => carryOutAndConfirm(planSubmit(profile.input), typingNo)),
    stop: (typingNo) => void stopped.add(typingNo),
    clearInput: () =>
      void after(async () => {
        // What a person wrote meanwhile is theirs.
        if (!live.hasDraft()) await clear();
      }),
    interrupt: () =>
      after(async () => {
        await carryOut(planInterrupt(profile.input), NO_TYPING);
        await wait(INTERRUPT_SETTLE_MS);
        if (!live.hasDraft()) await clear();
      }),
    leaveLimitDialog: () =>
      after(async () => {
        const dialog = profile.rateLimit?.dialog;
        const read = dialog === undefined ? undefined : await terminals.read(sessionId, 0);
        if (dialog === undefined || read?.ok !== true) return;
        if (!new RegExp(dialog.screenPattern, "mu").test(read.value.screen.join("\n"))) return;
        await carryOutAlone(planKeys(dialog.leave), NO_TYPING);
      }),
    [Symbol.dispose]() {
      disposed = true;
      if (listening.ok) listening.value[Symbol.dispose]();
      for (const timer of timers) timer[Symbol.dispose]();
      timers.clear();
      for (const done of [...waiting]) done();
    },
  };
}

function whyNot(live: LiveAgent): "personTyping" | "blocked" | undefined {
  if (live.hasDraft()) return "personTyping";
  return live.status().state === "blocked" ? "blocked" : undefined;
}

function isTyping(state: MediatorState, agentId: AgentId, typingNo: number): boolean {
  return slotOf(state, agentId).typing?.no === typingNo;
}
