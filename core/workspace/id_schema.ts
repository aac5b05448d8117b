/** Ids inside documents: checked and branded in one step. */
import { z } from "zod";
import { type Id, type IdKind, parseId } from "../ids.ts";

export function idSchema<K extends IdKind>(kind: K): z.ZodType<Id<K>> {
  return z.custom<Id<K>>((value) => typeof value === "string" && parseId(kind, value).ok, `not an id of a ${kind}`);
}
