/** Layouts: the trees of cells, and the operations on them. */
import { z } from "zod";
import { LayoutCommandSchema } from "../../core/layout/operation.ts";
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
    summary: "Applies one operation to a layout; gives it as it is now, or the active one after add and remove",
    params: z.object({ projectId: ProjectIdSchema, layoutId: LayoutIdSchema }),
    body: LayoutCommandSchema,
    output: LayoutViewSchema,
  }),
};
