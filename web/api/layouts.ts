/** Layouts: the trees of cells, and the operations on them. */
import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import {
  AgentIdSchema,
  CellIdSchema,
  LayoutIdSchema,
  pageOf,
  PageQuery,
  ProjectIdSchema,
  ProjectParams,
  SessionIdSchema,
} from "./values.ts";

const NodeId = z.string().min(1).max(128);
const Weight = z.number().positive();

const LeafSchema = z.looseObject({
  type: z.literal("leaf"),
  node: z.looseObject({
    id: CellIdSchema,
    session: SessionIdSchema.exactOptional(),
    agent: AgentIdSchema.exactOptional(),
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
      return z.array(z.object({ node: LayoutNodeSchema, weight: Weight })).readonly();
    },
  }),
});

const GridSchema = z.looseObject({
  type: z.literal("grid"),
  node: z.looseObject({
    id: NodeId,
    colWeights: z.array(Weight).readonly(),
    rowWeights: z.array(Weight).readonly(),
    get cells() {
      return z.array(z.object({
        node: LayoutNodeSchema,
        row: z.number().int(),
        col: z.number().int(),
        rowSpan: z.number().int(),
        colSpan: z.number().int(),
      })).readonly();
    },
  }),
});

export const LayoutNodeSchema = z.discriminatedUnion("type", [LeafSchema, SplitSchema, GridSchema])
  .meta({ id: "LayoutNode" });

export const LayoutViewSchema = z.object({
  layoutId: LayoutIdSchema,
  name: z.string(),
  kind: z.enum(["terminal", "gitGraph"]),
  active: z.boolean(),
  tree: z.object({ root: LayoutNodeSchema }),
  canUndo: z.boolean(),
  canRedo: z.boolean(),
}).meta({ id: "Layout" });

const Side = z.enum(["left", "right", "above", "below"]);

export const LayoutOperationSchema = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("split"), cellId: CellIdSchema, side: Side }),
  z.strictObject({ op: z.literal("close"), cellId: CellIdSchema }),
  z.strictObject({ op: z.literal("resize"), splitId: NodeId, weights: z.array(Weight).min(2).max(100) }),
  z.strictObject({
    op: z.literal("move"),
    cellId: CellIdSchema,
    targetId: CellIdSchema,
    place: z.enum(["left", "right", "above", "below", "swap"]),
  }),
  z.strictObject({ op: z.literal("setSession"), cellId: CellIdSchema, sessionId: SessionIdSchema.nullable() }),
  z.strictObject({ op: z.literal("setAgent"), cellId: CellIdSchema, agentId: AgentIdSchema.nullable() }),
  z.strictObject({ op: z.literal("undo") }),
  z.strictObject({ op: z.literal("redo") }),
  z.strictObject({ op: z.literal("activate") }),
  z.strictObject({ op: z.literal("rename"), name: z.string().trim().min(1).max(80) }),
]);

export const layoutEndpoints = {
  list: endpoint({
    method: "get",
    path: "/api/projects/{projectId}/layouts",
    tag: "layouts",
    id: "listLayouts",
    summary: "Lists the layouts of a project with their trees",
    params: ProjectParams,
    query: PageQuery,
    output: pageOf(LayoutViewSchema),
  }),
  operate: endpoint({
    method: "post",
    path: "/api/projects/{projectId}/layouts/{layoutId}/operations",
    tag: "layouts",
    id: "operateLayout",
    summary: "Applies one operation to a layout and gives the result",
    params: z.object({ projectId: ProjectIdSchema, layoutId: LayoutIdSchema }),
    body: LayoutOperationSchema,
    output: LayoutViewSchema,
  }),
};
