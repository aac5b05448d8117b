/**
 * Ids inside documents and messages: checked and branded in one step. They keep their brand on both sides: what a server
 * sends as an agent's id cannot be sent back as a session's.
 */
import { z } from "zod";
import { type Id, type IdKind, parseId } from "../ids.ts";

export function idSchema<K extends IdKind>(kind: K): z.ZodType<Id<K>, Id<K>> {
  const isId = (value: unknown) => typeof value === "string" && parseId(kind, value).ok;
  return z.custom<Id<K>>(isId, `not an id of a ${kind}`)
    .meta({ type: "string", minLength: 1, maxLength: 128, pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$" });
}
