/**
 * The house rules that a machine can check, as a plugin of `deno lint` (see deno.json). Each rule has a test in
 * lint_plugin.test.ts. Rules that deno has itself (no `any`, no `!`) are switched on in deno.json instead.
 */
import { isAbsolute, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { layerOf, whyForbidden, whyPackageForbidden } from "./layers.ts";

const ROOT = resolve(fileURLToPath(import.meta.url), "../../..");

type Context = Deno.lint.RuleContext;
type Node = Deno.lint.Node;

/** Relative to the repository, with "/" on every platform. */
const pathOf = ({ filename }: Context): string =>
  (isAbsolute(filename) ? relative(ROOT, filename) : filename).replaceAll("\\", "/");
const isTest = (path: string): boolean => layerOf(path) === "tests";
const isCore = (path: string): boolean => path.startsWith("core/");

/** The files where a brand or a decoded shape is made, and with it the only assertions of types. */
const MAY_ASSERT = /^core\/ids\.ts$|(^|[/_])codec\.ts$/;

const VAGUE = /^I[A-Z][a-z]|(Manager|Service|Impl|Helpers?|Utils?)$/;
const VAGUE_PATH = /(^|\/)(utils?|common|helpers?)(\.tsx?$|\/)/i;

function importDirection(context: Context): Deno.lint.LintVisitor {
  const from = pathOf(context);
  const check = (node: Node, specifier: string, typeOnly: boolean) => {
    const message = /^\.{0,2}\//.test(specifier)
      ? whyForbidden({ from, to: joinPath(from, specifier), typeOnly })
      : whyPackageForbidden(from, specifier);
    if (message !== undefined) context.report({ node, message: `"${specifier}": ${message}`, hint: "see layers.ts" });
  };
  return {
    ImportDeclaration(node) {
      check(node, node.source.value, node.importKind === "type");
    },
    ExportNamedDeclaration(node) {
      if (node.source) check(node, node.source.value, node.exportKind === "type");
    },
    ExportAllDeclaration(node) {
      check(node, node.source.value, node.exportKind === "type");
    },
    ImportExpression(node) {
      if (node.source.type === "Literal" && typeof node.source.value === "string") {
        check(node, node.source.value, false);
      }
    },
    TSImportType(node) {
      if (node.argument.type === "TSLiteralType" && node.argument.literal.type === "Literal") {
        check(node, String(node.argument.literal.value), true);
      }
    },
  };
}

function joinPath(from: string, specifier: string): string {
  const parts = specifier.startsWith("/") ? [] : from.split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

function noBarrel(context: Context): Deno.lint.LintVisitor {
  return {
    ExportAllDeclaration(node) {
      context.report({ node, message: "no `export *`: import a name from the file that has it" });
    },
    Program(node) {
      const reExports = node.body.filter((part) => part.type === "ExportNamedDeclaration" && part.source);
      if (reExports.length > 0 && reExports.length === node.body.length) {
        context.report({ node, message: "a file of re-exports is a barrel: import from the files themselves" });
      }
    },
  };
}

/** What the compiler's lib cannot see: a clock and randomness that the language itself has, and ways around the lib. */
function pureCore(context: Context): Deno.lint.LintVisitor {
  if (!isCore(pathOf(context))) return {};
  const impure = (node: Node, what: string) =>
    context.report({ node, message: `core does not use ${what}`, hint: "take the value, or a port, as an argument" });
  return {
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        if (comment.type === "Line" && comment.value.startsWith("/ <reference")) {
          context.report({ range: comment.range, message: "core does not widen its lib" });
        }
      }
    },
    MemberExpression(node) {
      const name = context.sourceCode.getText(node);
      if (/^(Date\.now|Math\.random|Temporal\.Now|performance\.now)$/.test(name)) impure(node, name);
    },
    NewExpression(node) {
      if (isIdentifier(node.callee, "Date") && node.arguments.length === 0) impure(node, "the current time");
    },
    CallExpression(node) {
      if (isIdentifier(node.callee, "Date")) impure(node, "the current time");
    },
    Identifier(node) {
      if (node.name === "globalThis") impure(node, "globalThis");
    },
  };
}

function isIdentifier(node: Node, name: string): boolean {
  return node.type === "Identifier" && node.name === name;
}

function noTypeAssertion(context: Context): Deno.lint.LintVisitor {
  const path = pathOf(context);
  if (isTest(path) || MAY_ASSERT.test(path)) return {};
  const report = (node: Node) =>
    context.report({ node, message: "an assertion hides a type error", hint: "narrow with a type guard, or decode" });
  return {
    TSAsExpression(node) {
      const type = node.typeAnnotation;
      if (type.type !== "TSTypeReference" || !isIdentifier(type.typeName, "const")) report(node);
    },
    TSTypeAssertion: report,
  };
}

function plainNames(context: Context): Deno.lint.LintVisitor {
  const path = pathOf(context);
  if (isTest(path)) return {};
  const check = (node: Node, name: string | undefined) => {
    if (name !== undefined && VAGUE.test(name)) context.report({ node, message: `"${name}" does not say what it is` });
  };
  return {
    Program(node) {
      if (VAGUE_PATH.test(path)) context.report({ node, message: "the path does not say what is in it" });
      const name = path.split("/").at(-1) ?? "";
      // main.tsx is the entry of the page, no component.
      const form = name.endsWith(".tsx") ? /^([A-Z][A-Za-z0-9]*|main)\.tsx$/ : /^[a-z0-9]+(_[a-z0-9]+)*(\.d)?\.ts$/;
      if (!form.test(name)) context.report({ node, message: "files are snake_case.ts, components PascalCase.tsx" });
    },
    ClassDeclaration: (node) => check(node, node.id?.name),
    FunctionDeclaration: (node) => check(node, node.id?.name),
    TSInterfaceDeclaration: (node) => check(node, node.id.name),
    TSTypeAliasDeclaration: (node) => check(node, node.id.name),
  };
}

function oneProcessDoor(context: Context): Deno.lint.LintVisitor {
  const path = pathOf(context);
  if (isTest(path) || layerOf(path) === "build" || path.startsWith("adapters/process/")) return {};
  return {
    MemberExpression(node) {
      if (context.sourceCode.getText(node) === "Deno.Command") {
        context.report({ node, message: "programs are run through adapters/process (allow-list, time limit, cap)" });
      }
    },
  };
}

const plugin: Deno.lint.Plugin = {
  name: "idea",
  rules: {
    "import-direction": { create: importDirection },
    "no-barrel": { create: noBarrel },
    "pure-core": { create: pureCore },
    "no-type-assertion": { create: noTypeAssertion },
    "plain-names": { create: plainNames },
    "one-process-door": { create: oneProcessDoor },
  },
};

export default plugin;
