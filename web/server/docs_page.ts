/** The page that shows the OpenAPI document to people: plain HTML made on the server, no script. */
import { html, raw } from "hono/html";
import type { EndpointDefinition } from "../api/endpoint.ts";
import { listEndpoints, type OpenApiDocument } from "./openapi.ts";

const STYLE = `
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  summary { cursor: pointer; padding: .3rem 0; }
  code, pre { font: 13px/1.45 ui-monospace, monospace; }
  pre { overflow-x: auto; padding: .75rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
  .method { display: inline-block; min-width: 4.5rem; font-weight: 600; }
`;

export function renderDocsPage(document: OpenApiDocument): string {
  const tags = [...new Set(listEndpoints().map((endpoint) => endpoint.tag))];
  const sections = tags.map((tag) =>
    html`<section><h2>${tag}</h2>${
      listEndpoints().filter((endpoint) => endpoint.tag === tag).map((endpoint) => renderOperation(endpoint, document))
    }</section>`
  );
  return html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>IdeA HTTP API</title>
        <style>${raw(STYLE)}</style>
      </head>
      <body>
        <main>
    <h1>IdeA HTTP API</h1>
    <p>The same as a document for programs: <a href="/api/openapi.json">/api/openapi.json</a> (OpenAPI 3.1). Scripts send the
    token of <code>server.json</code> in the data folder as <code>Authorization: Bearer …</code>. Events are at
    <code>GET /api/events</code> (server-sent, with ids and replay).</p>
    ${sections}
        </main>
      </body>
    </html>
  `.toString();
}

function renderOperation(endpoint: EndpointDefinition, document: OpenApiDocument) {
  const operation = document.paths[endpoint.path]?.[endpoint.method];
  return html`
    <details>
      <summary><span class="method">${endpoint.method.toUpperCase()}</span> <code>${endpoint.path}</code> ${endpoint
        .summary}</summary>
      <pre>${JSON.stringify(operation, null, 2)}</pre>
    </details>
  `;
}
