/** `layouts.json`: the layouts of a project and which of them is shown. */
import { z } from "zod";
import { createId, type LayoutId, type ProjectId } from "../ids.ts";
import { deriveUuid } from "../workspace/derived_id.ts";
import type { DocumentFormat } from "../workspace/document.ts";
import { idSchema } from "../workspace/id_schema.ts";
import type { LayoutTree } from "./tree.ts";

export interface Layout {
  readonly id: LayoutId;
  readonly name: string;
  readonly kind: "terminal" | "gitGraph";
  readonly tree: LayoutTree;
}

export interface LayoutsDocument {
  readonly version: number;
  readonly activeId: LayoutId;
  /** One at least. */
  readonly layouts: readonly Layout[];
}

/** Deeper than any screen can show; a bound for the recursion of everything that walks a tree. */
const MAX_DEPTH = 32;
const MAX_TRACKS = 200;

const NodeId = z.string().min(1).max(128);
const Count = z.number().int();
// Any number: what a weight must be is repaired, not refused, so that a file with one bad weight still opens.
const Weight = z.number();

const LeafSchema = z.looseObject({
  type: z.literal("leaf"),
  node: z.looseObject({
    id: idSchema("cell"),
    session: idSchema("session").exactOptional(),
    agent: idSchema("agent").exactOptional(),
    agentWasRunning: z.boolean().exactOptional(),
    conversationId: z.string().exactOptional(),
  }),
});

const SplitSchema = z.looseObject({
  type: z.literal("split"),
  node: z.looseObject({
    id: NodeId,
    direction: z.enum(["row", "column"]),
    get children() {
      return z.array(z.looseObject({ node: LayoutNodeSchema, weight: Weight })).min(1).max(MAX_TRACKS);
    },
  }),
});

const GridSchema = z.looseObject({
  type: z.literal("grid"),
  node: z.looseObject({
    id: NodeId,
    colWeights: z.array(Weight).min(1).max(MAX_TRACKS),
    rowWeights: z.array(Weight).min(1).max(MAX_TRACKS),
    get cells() {
      const position = { row: Count, col: Count, rowSpan: Count, colSpan: Count };
      return z.array(z.looseObject({ node: LayoutNodeSchema, ...position })).min(1).max(MAX_TRACKS ** 2);
    },
  }),
});

const LayoutNodeSchema = z.discriminatedUnion("type", [LeafSchema, SplitSchema, GridSchema]);

const TreeSchema = z.unknown().refine((tree) => depthOf(tree) <= MAX_DEPTH * 4, "nested too deeply")
  .pipe(z.looseObject({ root: LayoutNodeSchema }));

const LayoutsSchema = z.looseObject({
  version: z.number().int().positive().default(1),
  activeId: idSchema("layout"),
  layouts: z.array(z.looseObject({
    id: idSchema("layout"),
    name: z.string().min(1).max(200),
    kind: z.enum(["terminal", "gitGraph"]).default("terminal"),
    tree: TreeSchema,
  })).min(1),
});

export const layoutsFormat: DocumentFormat<LayoutsDocument> = { version: 1, schema: LayoutsSchema };

/** What a project shows before it has a file: one empty cell. Its ids are the same each time, until they are written. */
export function initialLayouts(projectId: ProjectId): LayoutsDocument {
  const id = createId("layout", deriveUuid(`layout ${projectId}`));
  const cell = createId("cell", deriveUuid(`cell ${projectId}`));
  const tree: LayoutTree = { root: { type: "leaf", node: { id: cell } } };
  return { version: 1, activeId: id, layouts: [{ id, name: "Default", kind: "terminal", tree }] };
}

/** Nesting of plain JSON, measured without recursion: the text may come from anywhere. */
function depthOf(value: unknown): number {
  let depth = 0;
  let level: readonly unknown[] = [value];
  while (level.length > 0 && depth <= MAX_DEPTH * 4) {
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
    depth++;
  }
  return depth;
}
