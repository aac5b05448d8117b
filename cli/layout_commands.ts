/** The commands about layouts: the list of them, and every operation of the core's one schema. */
import type { LayoutId, ProjectId } from "../core/ids.ts";
import { type LayoutCommand, LayoutCommandSchema } from "../core/layout/operation.ts";
import { leavesOf } from "../core/layout/tree.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { EndpointResult } from "../web/api/endpoint.ts";
import type { Endpoints } from "../web/api/endpoints.ts";
import { chooseProject } from "./choose.ts";
import { argument, type Context, during, formatTable } from "./context.ts";
import type { Failure } from "./failure.ts";

type Done = Promise<Result<void, Failure>>;
type Layout = EndpointResult<Endpoints["GET /api/projects/{projectId}/layouts"]>["items"][number];

const PAGE = 1_000;

export async function list(context: Context): Done {
  const listed = await listLayouts(context);
  if (!listed.ok) return listed;
  const rows = listed.value.layouts.map(({ layoutId, name, kind, active, tree }) => [
    ...[layoutId, kind, String(leavesOf(tree).length), active ? "shown" : "", name],
  ]);
  context.print(listed.value.layouts, formatTable([["LAYOUT", "KIND", "CELLS", "", "NAME"], ...rows]));
  return ok();
}

export const add = (context: Context): Done =>
  operateOn(context, ({ layouts }) => {
    const after = layouts.find((layout) => layout.active) ?? layouts[0];
    const command = { op: "add", name: argument(context.parsed, 0), kind: "terminal" } as const;
    return after === undefined ? err({ kind: "noSuchLayout", given: "", known: [] }) : ok({ layout: after, command });
  });

export const rename = (context: Context): Done =>
  onNamed(context, () => ok({ op: "rename", name: argument(context.parsed, 1) }));
export const remove = (context: Context): Done => onNamed(context, () => ok({ op: "remove" }));
export const show = (context: Context): Done => onNamed(context, () => ok({ op: "activate" }));
export const undo = (context: Context): Done => onNamed(context, () => ok({ op: "undo" }));
export const redo = (context: Context): Done => onNamed(context, () => ok({ op: "redo" }));
export const change = (context: Context): Done => onNamed(context, () => readCommand(context));

function readCommand({ parsed }: Context): Result<LayoutCommand, Failure> {
  const given = argument(parsed, 1);
  const wrong = (expected: string): Result<never, Failure> =>
    err({ kind: "invalidValue", command: parsed.name, of: "OPERATION", given, expected });
  let json: unknown;
  try {
    json = JSON.parse(given);
  } catch {
    return wrong('JSON, as {"op":"split","cellId":"...","side":"right"}');
  }
  const command = LayoutCommandSchema.safeParse(json);
  if (command.success) return ok(command.data);
  const issue = command.error.issues[0];
  return wrong(`an operation of a layout; ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
}

interface Listed {
  readonly projectId: ProjectId;
  readonly layouts: readonly Layout[];
}

async function listLayouts(context: Context): Promise<Result<Listed, Failure>> {
  const project = await chooseProject(context);
  if (!project.ok) return project;
  const { projectId } = project.value;
  const request = { params: { projectId }, query: { limit: PAGE } };
  const listed = during(
    "list the layouts",
    await context.api.call("GET /api/projects/{projectId}/layouts", request),
  );
  return listed.ok ? ok({ projectId, layouts: listed.value.items }) : listed;
}

interface Chosen {
  readonly layout: { readonly layoutId: LayoutId; readonly name: string };
  readonly command: LayoutCommand;
}

/** The layout of the first argument: by id, else by a name that only one has. */
function onNamed(context: Context, read: () => Result<LayoutCommand, Failure>): Done {
  const command = read();
  if (!command.ok) return Promise.resolve(command);
  return operateOn(context, ({ layouts }) => {
    const given = argument(context.parsed, 0);
    const byName = layouts.filter(({ name }) => name === given);
    const layout = layouts.find(({ layoutId }) => layoutId === given) ?? (byName.length === 1 ? byName[0] : undefined);
    if (layout !== undefined) return ok({ layout, command: command.value });
    return err({ kind: "noSuchLayout", given, known: layouts.map(({ name }) => name) });
  });
}

async function operateOn(context: Context, choose: (listed: Listed) => Result<Chosen, Failure>): Done {
  const listed = await listLayouts(context);
  if (!listed.ok) return listed;
  const chosen = choose(listed.value);
  if (!chosen.ok) return chosen;
  const { layout: { layoutId, name }, command } = chosen.value;
  const changed = during(
    `change the layout ${name}`,
    await context.api.call("POST /api/projects/{projectId}/layouts/{layoutId}/operations", {
      params: { projectId: listed.value.projectId, layoutId },
      body: command,
    }),
  );
  if (changed.ok) context.print(changed.value, changed.value.layoutId);
  return changed.ok ? ok() : changed;
}
