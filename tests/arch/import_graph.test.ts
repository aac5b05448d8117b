/**
 * What the lint rules cannot see, since they look at one file at a time: cycles. Over the module graph as deno itself
 * resolves it.
 */
import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { z } from "zod";
import { layerOf } from "./layers.ts";

const ROOT = resolve(fileURLToPath(import.meta.url), "../../..");

const InfoSchema = z.object({
  modules: z.array(z.object({
    specifier: z.string(),
    error: z.string().optional(),
    dependencies: z.array(z.object({
      code: z.object({ specifier: z.string().optional(), error: z.string().optional() }).optional(),
      type: z.object({ specifier: z.string().optional() }).optional(),
    })).default([]),
  })),
});

interface Graph {
  /** What is imported at run time, by path relative to the repository. */
  readonly runtime: ReadonlyMap<string, readonly string[]>;
  /** The same with imports of types. */
  readonly all: ReadonlyMap<string, readonly string[]>;
  readonly errors: readonly string[];
}

async function sourceFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const entry of Deno.readDir(join(ROOT, folder))) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory && layerOf(`${path}/x.ts`) !== "tests" && !/^(\.|dist|node_modules)/.test(entry.name)) {
      files.push(...await sourceFiles(path));
    } else if (/\.tsx?$/.test(entry.name)) files.push(path);
  }
  return files;
}

/** The graph over every source file of the product, reached from main.ts or not. */
async function readGraph(): Promise<Graph> {
  const folder = await Deno.makeTempDir();
  try {
    const entry = join(folder, "entry.ts");
    const imports = (await sourceFiles("")).map((file) => `import("${pathToFileURL(join(ROOT, file))}");\n`);
    await Deno.writeTextFile(entry, imports.join(""));
    const info = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", "--config", join(ROOT, "deno.json"), entry],
      stdout: "piped",
      stderr: "inherit",
    }).output();
    assert.ok(info.success);
    return graphOf(InfoSchema.parse(JSON.parse(new TextDecoder().decode(info.stdout))).modules);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function graphOf(modules: z.infer<typeof InfoSchema>["modules"]): Graph {
  const prefix = `${pathToFileURL(ROOT)}/`;
  const own = (specifier: string | undefined): string[] =>
    specifier?.startsWith(prefix) ? [decodeURIComponent(specifier.slice(prefix.length))] : [];
  const runtime = new Map<string, readonly string[]>();
  const all = new Map<string, readonly string[]>();
  const errors: string[] = [];
  for (const module of modules) {
    const [path] = own(module.specifier);
    if (path === undefined) continue;
    if (module.error !== undefined) errors.push(`${path}: ${module.error}`);
    for (const { code } of module.dependencies) if (code?.error !== undefined) errors.push(`${path}: ${code.error}`);
    const code = module.dependencies.flatMap((to) => own(to.code?.specifier));
    runtime.set(path, code);
    all.set(path, [...code, ...module.dependencies.flatMap((to) => own(to.type?.specifier))]);
  }
  return { runtime, all, errors };
}

/** The first cycle found, as the path that comes back to where it began; undefined when there is none. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): readonly string[] | undefined => {
    const start = path.indexOf(node);
    if (start >= 0) return [...path.slice(start), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle !== undefined) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/** The graph of the areas of core: an edge where any file of one names any file of the other. */
function areaGraph(files: Graph["all"]): ReadonlyMap<string, readonly string[]> {
  const area = (path: string) => layerOf(path) === "core area" ? path.split("/").slice(0, 2).join("/") : undefined;
  const areas = new Map<string, string[]>();
  for (const [from, targets] of files) {
    const fromArea = area(from);
    if (fromArea === undefined) continue;
    const known = areas.get(fromArea) ?? [];
    areas.set(fromArea, known);
    for (const target of targets) {
      const toArea = area(target);
      if (toArea !== undefined && toArea !== fromArea) known.push(toArea);
    }
  }
  return areas;
}

Deno.test("import graph: a cycle is found, and named", () => {
  assert.equal(findCycle(new Map([["a", ["b", "c"]], ["b", ["c"]], ["c", []]])), undefined);
  assert.deepEqual(findCycle(new Map([["a", ["b"]], ["b", ["c"]], ["c", ["b"]]])), ["b", "c", "b"]);
});

Deno.test("import graph: every import resolves, nothing imports itself in a circle, no two areas need each other", async () => {
  const graph = await readGraph();
  assert.ok((graph.all.get("core/app/agents.ts")?.length ?? 0) > 0, "the graph has the product in it");
  assert.deepEqual(graph.errors, []);
  assert.equal(findCycle(graph.runtime)?.join(" → "), undefined);
  assert.equal(findCycle(areaGraph(graph.all))?.join(" → "), undefined);
});
