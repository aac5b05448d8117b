/**
 * A running app on strict fakes, with one open project: time stands until a test lets it pass, programs are played
 * (tests/fakes/agent_cli.ts), and IdeA can be killed and started again on the same disk.
 */
import assert from "node:assert/strict";
import { createAgentClis } from "../../adapters/profiles/agent_clis.ts";
import type { App } from "../../core/app/app.ts";
import { createApp, type RunningApp } from "../../core/app/create_app.ts";
import { defaultTerminalsLimits } from "../../core/app/terminals.ts";
import type { IdeaEvent } from "../../core/events.ts";
import { type AgentId, createId, type ProjectId, type TicketId } from "../../core/ids.ts";
import type {
  CallContext,
  Command,
  CommandError,
  CommandInput,
  CommandResult,
  Requester,
} from "../../core/orchestration/commands.ts";
import type { Ticket } from "../../core/orchestration/ticket.ts";
import type { AgentClis } from "../../core/ports/agent_cli.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Entropy } from "../../core/ports/entropy.ts";
import type { Programs } from "../../core/ports/programs.ts";
import { type AgentProfile, ProfileSchema } from "../../core/profiles/profile.ts";
import { err, type Result } from "../../core/result.ts";
import { type CliBehaviour, type FakeCli, installFakeCli } from "../fakes/agent_cli.ts";
import { createFakeClock, type FakeClock } from "../fakes/clock.ts";
import { createFakeEntropy } from "../fakes/entropy.ts";
import { createFakeDisk, type FakeDisk } from "../fakes/folder.ts";
import { createFakePty, type FakePty } from "../fakes/pty.ts";
import { createFakeStates } from "../fakes/terminal_state.ts";

export const ROOT = "/home/ann/shop";
export const IDEAI = `${ROOT}/.ideai`;
export const NOW_MS = Date.UTC(2026, 10, 30, 12);

export function makeProfile(data: { readonly id: string } & Record<string, unknown>): AgentProfile {
  const parsed = ProfileSchema.parse({ name: data.id, command: data.id, ...data });
  return { ...parsed, id: createId("profile", parsed.id) };
}

/** Tells its state, has MCP tools, lets IdeA name its conversation. */
export const fake = makeProfile({
  id: "fake",
  name: "Fake",
  programStatus: true,
  contextInjection: { strategy: "flag", flag: "--context", value: "path" },
  mcp: { config: { strategy: "flag", flag: "--mcp" }, transport: "http", timeoutMs: 600_000 },
  session: { assignFlag: "--session", resumeFlag: "--resume", idFrom: "assigned" },
  rateLimit: { pattern: "limit reached, resets ([^\\n]+)" },
});

export interface SetupOptions {
  /** Name and profile of each agent; Ada, Ben and Cleo of the fake profile when left out. */
  readonly agents?: Readonly<Record<string, string>>;
  readonly profiles?: readonly AgentProfile[];
  /** By command; the program of each profile is there, and works when a line is submitted. */
  readonly programs?: Readonly<Record<string, CliBehaviour>>;
  /** Commands whose program is not installed. */
  readonly missing?: readonly string[];
  readonly clis?: AgentClis;
  /** Something the app reports as a defect is expected. */
  readonly expectsDefects?: boolean;
  /** Before the project is opened for the first time. */
  readonly prepare?: (disk: FakeDisk) => void;
}

/** What one process of IdeA is made of. */
interface Boot {
  readonly running: RunningApp;
  readonly pty: FakePty;
  readonly clis: ReadonlyMap<string, readonly FakeCli[]>;
  readonly kill: () => void;
}

export interface World extends AsyncDisposable {
  readonly app: App;
  readonly running: RunningApp;
  readonly pty: FakePty;
  readonly clock: FakeClock;
  readonly disk: FakeDisk;
  readonly projectId: ProjectId;
  /** All events, of every process. */
  readonly events: readonly IdeaEvent[];
  readonly defects: readonly unknown[];
  agent(name: string): AgentId;
  /** The program of that agent that was started last. */
  cli(name: string): FakeCli;
  /** All programs that were started in this process. */
  started(): readonly FakeCli[];
  requester(name: string): Requester;
  /** A command of an agent (by name), a person (""), or a program outside ("@name"). */
  send(who: string, command: Command, context?: CallContext): Promise<Result<CommandResult, CommandError>>;
  ask(
    who: string,
    target: string,
    task: string,
    more?: Partial<CommandInput<"ask">> & { readonly context?: CallContext },
  ): Promise<Result<CommandResult, CommandError>>;
  reply(who: string, result: string, ticket?: string): Promise<Result<CommandResult, CommandError>>;
  tickets(): readonly Ticket[];
  ticket(ticketId: string): Ticket;
  /** The one that agent works on. */
  inWork(name: string): Ticket;
  /** Lets everything run that waits for no time. */
  settle(): Promise<void>;
  pass(ms: number): Promise<void>;
  until(what: string, condition: () => boolean, withinMs?: number): Promise<void>;
  /** What a promise gives, however much time it needs. */
  result<T>(promise: Promise<T>): Promise<T>;
  launch(name: string): Promise<FakeCli>;
  /** Until its program is there and said that it is ready. */
  untilReady(name: string): Promise<FakeCli>;
  /** kill -9, and a new process on the same disk; the project is opened again when it was open. */
  restart(): Promise<void>;
  /** Ends IdeA as a signal does. */
  stop(): Promise<void>;
  /** Starts it after stop(). */
  start(): Promise<void>;
}

export async function setup(options: SetupOptions = {}): Promise<World> {
  const clock = createFakeClock(NOW_MS);
  const disk = createFakeDisk(clock);
  const entropy = createFakeEntropy();
  const events: IdeaEvent[] = [];
  const defects: unknown[] = [];
  const profiles = options.profiles ?? [fake];
  disk.makeFolder(ROOT);
  options.prepare?.(disk);

  const bootNow = () => boot({ clock, disk, entropy, events, defects, profiles, options });
  let current: Boot | undefined = await bootNow();
  const now = () => {
    assert.ok(current !== undefined, "IdeA does not run");
    return current;
  };
  const open = async () => value(await now().running.app.projects.open({ root: ROOT })).projectId;
  for (const profile of profiles) value(await now().running.app.profiles.save(profile));
  const projectId = await open();
  const agents = new Map<string, AgentId>();
  const wanted = options.agents ?? { Ada: "fake", Ben: "fake", Cleo: "fake" };
  for (const [name, profile] of Object.entries(wanted)) {
    const profileId = createId("profile", profile);
    const made = value(await now().running.app.agents.create(projectId, { name, profileId }));
    agents.set(name, made.agentId);
  }
  events.splice(0);

  async function settle(): Promise<void> {
    // Twice: a program that was started speaks in a later turn.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setTimeout(resolve));
  }

  async function pass(ms: number): Promise<void> {
    const endMs = clock.monotonicMs() + ms;
    await settle();
    for (;;) {
      const leftMs = endMs - clock.monotonicMs();
      const nextMs = clock.msToNextTimer();
      if (nextMs === undefined || nextMs > leftMs) return clock.advance(leftMs);
      clock.advance(nextMs);
      await settle();
    }
  }

  async function until(what: string, condition: () => boolean, withinMs = 300_000): Promise<void> {
    const endMs = clock.monotonicMs() + withinMs;
    await settle();
    while (!condition()) {
      const nextMs = clock.msToNextTimer();
      if (nextMs === undefined || clock.monotonicMs() + nextMs > endMs) throw new Error(`waited in vain for: ${what}`);
      clock.advance(nextMs);
      await settle();
    }
  }

  const world: World = {
    get app() {
      return now().running.app;
    },
    get running() {
      return now().running;
    },
    get pty() {
      return now().pty;
    },
    clock,
    disk,
    projectId,
    events,
    defects,
    agent(name) {
      const agentId = agents.get(name);
      if (agentId !== undefined) return agentId;
      const made = value(world.app.agents.list(projectId)).find((view) => view.name === name);
      assert.ok(made !== undefined, `no agent ${name}`);
      return made.agentId;
    },
    started: () => [...now().clis.values()].flat().sort((a, b) => a.program.pid - b.program.pid),
    cli(name) {
      const agentId = world.agent(name);
      const cli = world.started().findLast(({ program }) =>
        program.env["IDEA_MCP_SECRET_FILE"] === `${IDEAI}/run/${agentId}/secret`
      );
      assert.ok(cli !== undefined, `no program of ${name} was started`);
      return cli;
    },
    requester: (name) => ({ projectId, party: { kind: "agent", agentId: world.agent(name) }, door: "mcp" }),
    send: (who, command, context) => world.app.orchestrator.dispatch(command, requesterOf(world, who), context),
    ask(who, target, task, { context, ...more } = {}) {
      return world.send(who, { name: "ask", input: { target, task, ...more } }, context);
    },
    reply: (who, result, ticket) =>
      world.send(who, { name: "reply", input: { result, ...(ticket === undefined ? {} : { ticket }) } }),
    tickets: () => value(world.app.orchestrator.tickets(projectId)),
    ticket: (ticketId) => value(world.app.orchestrator.ticket(projectId, createId("ticket", ticketId))),
    inWork(name) {
      const ticketId = value(world.app.agents.get(projectId, world.agent(name))).worksOn?.ticketId;
      assert.ok(ticketId !== undefined, `${name} works on nothing`);
      return world.ticket(ticketId);
    },
    settle,
    pass,
    until,
    async result(promise) {
      let done = false;
      const finished = promise.finally(() => done = true);
      // Its failure is the caller's to see.
      finished.catch(() => {});
      await until("an answer", () => done);
      return await promise;
    },
    async launch(name) {
      value(await world.result(world.app.agents.launch(projectId, world.agent(name), {})));
      return await world.untilReady(name);
    },
    async untilReady(name) {
      const agentId = world.agent(name);
      await until(`${name} to be ready`, () => isReady(world, agentId));
      return world.cli(name);
    },
    async restart() {
      now().kill();
      disk.crash();
      await settle();
      await world.start();
    },
    async stop() {
      const { running } = now();
      await world.result(Promise.resolve(running[Symbol.asyncDispose]()));
      now().kill();
      disk.crash();
      current = undefined;
    },
    async start() {
      current = await bootNow();
      await world.result(open());
    },
    async [Symbol.asyncDispose]() {
      if (current !== undefined) await world.stop();
      if (options.expectsDefects !== true) assert.deepEqual(defects, []);
    },
  };
  return world;
}

function isReady({ app, projectId }: World, agentId: AgentId): boolean {
  const view = value(app.agents.get(projectId, agentId));
  const explained = value(app.agents.explain(projectId, agentId));
  const holds = explained.waitsFor.some((cause) => cause.includes("to be ready"));
  return view.state !== "starting" && view.state !== "stopped" && !holds;
}

function requesterOf(world: World, who: string): Requester {
  const { projectId } = world;
  if (who === "") return { projectId, party: { kind: "human" }, door: "ui" };
  if (who.startsWith("@")) return { projectId, party: { kind: "external", name: who.slice(1) }, door: "ui" };
  return world.requester(who);
}

interface BootParts {
  readonly clock: FakeClock;
  readonly disk: FakeDisk;
  readonly entropy: Entropy;
  readonly events: IdeaEvent[];
  readonly defects: unknown[];
  readonly profiles: readonly AgentProfile[];
  readonly options: SetupOptions;
}

async function boot({ clock, disk, entropy, events, defects, profiles, options }: BootParts): Promise<Boot> {
  let isAlive = true;
  const own = mortal(clock, () => isAlive);
  const pty = createFakePty({ startTimer: (delayMs, onElapsed) => own.startTimer(delayMs, onElapsed) });
  const commands = new Set([...profiles.map(({ command }) => command), ...Object.keys(options.programs ?? {})]);
  for (const command of options.missing ?? []) commands.delete(command);
  const clis = new Map(
    [...commands].map((command) => [command, installFakeCli(pty, `/bin/${command}`, options.programs?.[command])]),
  );
  const running = await createApp({
    clock: own,
    entropy,
    folders: disk.folders,
    dataFolder: value(await disk.folders.open("/data")),
    folderBrowser: { list: () => Promise.resolve(err({ kind: "folderNotFound", path: "/" })) },
    projectFiles: { read: ({ path }) => Promise.resolve(err({ kind: "fileNotFound", path })) },
    programs: createPrograms(commands),
    pty,
    states: createFakeStates(),
    clis: options.clis ?? createAgentClis(),
    terminalLimits: { ...defaultTerminalsLimits, platform: "linux" },
    mcpUrl: () => "http://127.0.0.1:4000/mcp",
    mcpBridge: () => ["/bin/idea", "mcp"],
    localZone: "UTC",
    onDefect: (error) => {
      if (isAlive) defects.push(error);
    },
  });
  running.app.events.subscribe((event) => {
    if (isAlive) events.push(event);
  });
  return { running, pty, clis, kill: () => void (isAlive = false) };
}

/** The timers of a process that was killed never fire. */
function mortal(clock: FakeClock, isAlive: () => boolean): Clock {
  return {
    ...clock,
    startTimer: (delayMs, onElapsed) =>
      clock.startTimer(delayMs, () => {
        if (isAlive()) onElapsed();
      }),
  };
}

function createPrograms(commands: ReadonlySet<string>): Programs {
  return {
    find: (program) => Promise.resolve(commands.has(program) ? `/bin/${program}` : undefined),
    run: (argv) => Promise.resolve(err({ kind: "notAllowed", program: argv[0] })),
    loginEnvironment: () => Promise.resolve({ HOME: "/home/ann", PATH: "/bin", SHELL: "/bin/sh" }),
  };
}

export function value<T, E>(result: Result<T, E>): T {
  if (!result.ok) throw new Error(`an error where none was expected: ${JSON.stringify(result.error)}`);
  return result.value;
}

export function error<T, E>(result: Result<T, E>): E {
  if (result.ok) throw new Error(`no error where one was expected: ${JSON.stringify(result.value)}`);
  return result.error;
}

/** The ticket that a result names. */
export function ticketIdOf(result: Result<CommandResult, CommandError>): TicketId {
  const given = value(result);
  assert.ok(given.kind === "pending" || given.kind === "reply" || given.kind === "task", given.kind);
  return given.ticket;
}
