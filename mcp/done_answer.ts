/** The answer of tools that do something and have nothing else to tell. */
import { z } from "zod";

export const DoneSchema = z.object({ detail: z.string() });

export function done({ detail }: { readonly detail: string }) {
  return { text: detail, data: { detail } };
}

export const TextSchema = z.object({ text: z.string() });

/** The answer of tools that read; empty is said, so that the model does not read again. */
export function textOr(whenEmpty: string) {
  return ({ text }: { readonly text: string }) => ({ text: text === "" ? whenEmpty : text, data: { text } });
}
