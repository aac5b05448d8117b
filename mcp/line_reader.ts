/** The lines of a stream of UTF-8 text, without their ends. A line longer than the bound ends the reading. */
export async function* readLines(
  input: ReadableStream<Uint8Array<ArrayBuffer>>,
  maxChars: number,
): AsyncGenerator<string> {
  let rest = "";
  for await (const text of input.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
    if (rest.length > maxChars) return;
  }
  if (rest !== "") yield rest;
}
