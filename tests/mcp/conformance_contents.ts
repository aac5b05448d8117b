/**
 * The tools, resources and prompts that the public conformance suite asks a server for, on our own server builder:
 * what is tested is how we carry them.
 */
import type { GetPromptResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { err, ok } from "../../core/result.ts";
import { defineTool, type McpContents, type Prompts, type Resources, type Tool } from "../../mcp/contents.ts";

/** A red pixel, and a WAV file without samples. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const noArguments = z.object({});

function simple(name: string, run: Parameters<typeof defineTool<typeof noArguments>>[0]["run"]): Tool {
  return defineTool({ name, title: name, description: `${name} of the conformance suite`, input: noArguments, run });
}

const text = (value: string) => ({ type: "text" as const, text: value });
const image = { type: "image" as const, data: PNG, mimeType: "image/png" };

const tools: readonly Tool[] = [
  simple("test_simple_text", () => ({ content: [text("This is a simple text response for testing.")] })),
  simple("test_image_content", () => ({ content: [image] })),
  simple("test_audio_content", () => ({ content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] })),
  simple("test_embedded_resource", () => ({
    content: [{
      type: "resource",
      resource: {
        uri: "test://embedded-resource",
        mimeType: "text/plain",
        text: "This is an embedded resource content.",
      },
    }],
  })),
  simple("test_multiple_content_types", () => ({
    content: [text("Multiple content types test:"), image, {
      type: "resource",
      resource: {
        uri: "test://mixed-content-resource",
        mimeType: "application/json",
        text: JSON.stringify({ test: "data", value: 123 }),
      },
    }],
  })),
  simple("test_tool_with_logging", async (_input, call) => {
    for (const message of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      call.log("info", message);
      await pause(50);
    }
    return { content: [text("Done.")] };
  }),
  simple("test_tool_with_progress", async (_input, call) => {
    for (const message of ["begun", "half done", "done"]) {
      call.progress(message);
      await pause(50);
    }
    return { content: [text("Done.")] };
  }),
  simple("test_error_handling", () => ({
    isError: true,
    content: [text("This tool intentionally returns an error for testing")],
  })),
  simple("test_reconnection", async (_input, call) => {
    call.releaseStream?.();
    await pause(100);
    return { content: [text("Done.")] };
  }),
  defineTool({
    name: "json_schema_2020_12_tool",
    title: "json_schema_2020_12_tool",
    description: "Tool with JSON Schema 2020-12 features",
    input: z.strictObject({
      name: z.string().optional(),
      address: z.object({ street: z.string().optional(), city: z.string().optional() })
        .meta({ id: "address" }).optional(),
    }),
    run: () => ({ content: [text("Done.")] }),
  }),
];

const nothing: Disposable = { [Symbol.dispose]: () => {} };

const resources: Resources = {
  list: () =>
    Promise.resolve([
      { uri: "test://static-text", name: "static-text", description: "Text", mimeType: "text/plain" },
      { uri: "test://static-binary", name: "static-binary", description: "A picture", mimeType: "image/png" },
    ]),
  templates: [{ uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" }],
  read(uri) {
    const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
    if (id !== undefined) {
      const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return Promise.resolve(ok({ mimeType: "application/json", text: data }));
    }
    if (uri === "test://static-binary") return Promise.resolve(ok({ mimeType: "image/png", base64: PNG }));
    if (uri === "test://static-text") {
      const content = "This is the content of the static text resource.";
      return Promise.resolve(ok({ mimeType: "text/plain", text: content }));
    }
    return Promise.resolve(err({ kind: "resourceNotFound", uri }));
  },
  follow: () => ok(nothing),
  onListChanged: () => nothing,
  complete: () => Promise.resolve([]),
};

const promptTexts: Readonly<Record<string, (args: Readonly<Record<string, string>>) => GetPromptResult["messages"]>> = {
  test_simple_prompt: () => [{ role: "user", content: text("This is a simple prompt for testing.") }],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    { role: "user", content: text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`) },
  ],
  test_prompt_with_embedded_resource: ({ resourceUri = "" }) => [
    {
      role: "user",
      content: {
        type: "resource",
        resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." },
      },
    },
    { role: "user", content: text("Please process the embedded resource above.") },
  ],
  test_prompt_with_image: () => [
    { role: "user", content: image },
    { role: "user", content: text("Please analyze the image above.") },
  ],
};

const promptArguments: Readonly<Record<string, readonly string[]>> = {
  test_prompt_with_arguments: ["arg1", "arg2"],
  test_prompt_with_embedded_resource: ["resourceUri"],
};

const prompts: Prompts = {
  list: () =>
    Promise.resolve(
      Object.keys(promptTexts).map((name) => ({
        name,
        description: `${name} of the conformance suite`,
        arguments: (promptArguments[name] ?? []).map((argument) => ({ name: argument, required: true })),
      })),
    ),
  get: (name, args) => Promise.resolve(promptTexts[name] && { messages: promptTexts[name](args) }),
  onListChanged: () => nothing,
  complete: (_prompt, _argument, typed) => Promise.resolve(["paris", "park"].filter((one) => one.startsWith(typed))),
};

export const conformanceContents: McpContents = { instructions: "", tools, resources, prompts };
