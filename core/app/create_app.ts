/**
 * Puts the app together: the only entry for serve.ts and tests. Everything is made here once, and ends in reverse order.
 */
import { createEvents, type Events } from "../events.ts";
import type { ProfileId } from "../ids.ts";
import type { AgentClis } from "../ports/agent_cli.ts";
import type { Clock } from "../ports/clock.ts";
import type { Entropy } from "../ports/entropy.ts";
import type { Folder, Folders } from "../ports/folder.ts";
import type { FolderBrowser } from "../ports/folder_browser.ts";
import type { ProjectFiles } from "../ports/project_files.ts";
import type { Programs } from "../ports/programs.ts";
import type { Pty } from "../ports/pty.ts";
import type { TerminalStates } from "../ports/terminal_state.ts";
import { referenceProfiles } from "../profiles/reference.ts";
import { createAgentLifecycle } from "./agent_lifecycle.ts";
import { type AgentIdentity, type AgentSecrets, createAgentSecrets } from "./agent_secrets.ts";
import { createAgents } from "./agents.ts";
import type { App } from "./app.ts";
import { createConversations } from "./conversations.ts";
import { createFileDoor } from "./file_door.ts";
import { createFiles } from "./files.ts";
import { createLayouts } from "./layouts.ts";
import { createLimitWatch } from "./limits.ts";
import type { LiveAgent } from "./live_agent.ts";
import { createLiveStates } from "./live_state.ts";
import { createOrchestrator } from "./orchestrator.ts";
import { createProfiles } from "./profiles.ts";
import { createProjects } from "./projects.ts";
import { createRuntimes } from "./runtimes.ts";
import { createSettings } from "./settings.ts";
import { createSkills } from "./skills.ts";
import { keepColors } from "./terminal_colors.ts";
import { createTerminals, type TerminalsLimits } from "./terminals.ts";
import { createTranscripts } from "./transcripts.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

export interface AppPorts {
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly folders: Folders;
  /** The person's data folder, opened and locked; its owner is the caller. */
  readonly dataFolder: Folder;
  readonly folderBrowser: FolderBrowser;
  readonly projectFiles: ProjectFiles;
  readonly programs: Programs;
  readonly pty: Pty;
  readonly states: TerminalStates;
  readonly clis: AgentClis;
  readonly terminalLimits: TerminalsLimits;
  /** Where agents reach the MCP door; asked at each launch, since the port is known late. */
  readonly mcpUrl: () => string;
  readonly mcpBridge: () => readonly [string, ...string[]];
  /** IANA name. */
  readonly localZone: string;
  readonly onDefect: (error: unknown) => void;
}

/** What the MCP door tells of the clients of agents: deliveries wait for it. */
export interface McpClients {
  onReady(identity: AgentIdentity, step: "initialized" | "toolsListed"): void;
  onCallMeta(identity: AgentIdentity, meta: Readonly<Record<string, unknown>>): void;
}

export interface RunningApp extends AsyncDisposable {
  readonly app: App;
  readonly workspace: Workspace;
  readonly secrets: AgentSecrets;
  readonly mcpClients: McpClients;
}

export async function createApp(ports: AppPorts): Promise<RunningApp> {
  const { clock, entropy, dataFolder, programs, onDefect } = ports;
  await using made = new AsyncDisposableStack();
  const events: Events = createEvents(onDefect);
  const secrets = createAgentSecrets(entropy);
  const settings = await createSettings(dataFolder);
  const profiles = await createProfiles({ dataFolder, programs, events });
  // Projects close before the terminals do: else the ends of their programs would count as crashes.
  const terminals = keepColors(made.use(createTerminals({ ...ports, events }, ports.terminalLimits)), settings);
  const limits = made.use(createLimitWatch({ ...ports, events, runtimes: { get: (id) => runtimes.get(id) } }));
  const projects = made.use(await createProjects({ ...ports, events }));
  const layouts = createLayouts({
    projects,
    entropy,
    events,
    isLive: (sessionId) => terminals.get(sessionId) !== undefined,
  });
  const conversations = createConversations({ projects, clock, events, onStorageError: onDefect });
  const { history } = conversations;
  const liveState = createLiveStates({
    projects,
    clock,
    events,
    ticketOf: (projectId, ticketId) => runtimes.get(projectId)?.runner.ticket(ticketId),
    onStorageError: onDefect,
  });
  const profile = (profileId: ProfileId) =>
    // A project may name a reference profile that this person never chose: it works out of the box.
    profiles.get(profileId) ?? referenceProfiles.find(({ id }) => id === profileId);

  const runtimes = createRuntimes({
    clock,
    events,
    terminals,
    history,
    profile,
    limits,
    lifecycle: () => lifecycle,
    transcripts: () => transcripts,
    onDefect,
  });
  const transcripts = createTranscripts({
    clock,
    history,
    runtimes,
    environment: () => programs.loginEnvironment(),
    onDefect,
  });
  const lifecycle = createAgentLifecycle({
    ...ports,
    events,
    terminals,
    secrets,
    history,
    runtimes,
    profile,
    limits,
    transcripts,
    liveState: liveState.describe,
    hostOf: (projectId, agentId) => layouts.cells(projectId).find(({ agent }) => agent === agentId)?.id,
    onPlaced: ({ projectId, agentId, cellId, session }) => {
      const placement = { agentId, ...(cellId === undefined ? {} : { cellId }) };
      // What cannot be written into the layout is no reason to refuse the agent.
      void layouts.place(projectId, { ...placement, sessionId: session?.agent.sessionId ?? null }).catch(onDefect);
    },
  });
  const agents = createAgents({ runtimes, lifecycle, history, entropy, events, limits, profile });
  const orchestrator = createOrchestrator({
    clock,
    entropy,
    events,
    dataFolder,
    runtimes,
    agents,
    limits,
    profile,
    profiles: () => [...profiles.list(), ...referenceProfiles],
    cells: layouts.cells,
    setStatus: liveState.setStatus,
  });
  projects.whileOpen((project) => runtimes.start(project));
  const fileDoor = createFileDoor({ clock, entropy, events, orchestrator, onDefect });
  projects.whileOpen((project) => fileDoor.start(project));

  const liveOf = ({ projectId, agentId }: AgentIdentity): LiveAgent | undefined =>
    runtimes.get(projectId)?.live.get(agentId)?.agent;
  const workspace = await createWorkspace({ projects, dataFolder, onDefect });
  const parts = made.move();
  return {
    app: {
      projects,
      folders: ports.folderBrowser,
      files: createFiles({ ...ports, projects, terminals }),
      profiles,
      agents,
      limits,
      terminals,
      layouts,
      conversations,
      liveState,
      settings,
      orchestrator,
      skills: createSkills(projects, dataFolder),
      events,
    },
    workspace,
    secrets,
    mcpClients: {
      onReady: (identity, step) => liveOf(identity)?.onMcpReady(step),
      onCallMeta: (identity, meta) => liveOf(identity)?.onCallMeta(meta),
    },
    [Symbol.asyncDispose]() {
      // Projects close now because IdeA ends; they come back with the next start.
      workspace.end();
      return parts.disposeAsync();
    },
  };
}
