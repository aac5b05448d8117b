/** Pages of a list that is in memory: the cursor is the key of the last entry given, so entries may come and go. */
import { err, ok, type Result } from "../../core/result.ts";
import type { DoorError } from "./errors.ts";

const DEFAULT_LIMIT = 200;

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

export function paginate<T>(
  all: readonly T[],
  query: { readonly limit?: number; readonly cursor?: string },
  keyOf: (item: T) => string,
): Result<Page<T>, DoorError> {
  const { limit = DEFAULT_LIMIT, cursor } = query;
  const after = cursor === undefined ? -1 : all.findIndex((item) => keyOf(item) === cursor);
  if (cursor !== undefined && after < 0) return err({ kind: "badCursor" });
  const items = all.slice(after + 1, after + 1 + limit);
  const last = items.at(-1);
  const isLastPage = last === undefined || after + 1 + limit >= all.length;
  return ok(isLastPage ? { items } : { items, nextCursor: keyOf(last) });
}
