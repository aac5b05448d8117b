/** Events of a server-sent event stream, as far as MCP uses them: id, retry and data. */

export interface StreamEvent {
  readonly id: string | undefined;
  readonly retryMs: number | undefined;
  /** "" for an event that only gives an id. */
  readonly data: string;
}

export async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<StreamEvent> {
  let rest = "";
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? "";
    for (const block of blocks) yield parseEvent(block);
  }
}

function parseEvent(block: string): StreamEvent {
  const values = (field: string) =>
    block.split(/\r?\n/).filter((line) => line.startsWith(`${field}:`)).map((line) =>
      line.slice(field.length + 1).replace(/^ /, "")
    );
  const retry = values("retry").at(-1);
  return {
    id: values("id").at(-1),
    retryMs: retry !== undefined && /^\d+$/.test(retry) ? Number(retry) : undefined,
    data: values("data").join("\n"),
  };
}
