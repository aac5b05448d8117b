/** Reads a paged list to its end, or to as many items as the page has a use for. */
import type { ApiError } from "../../api/client.ts";
import { ok, type Result } from "../../../core/result.ts";

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

export async function readPages<T>(
  read: (query: { readonly limit: number; readonly cursor?: string }) => Promise<Result<Page<T>, ApiError>>,
  maxItems = 2_000,
): Promise<Result<readonly T[], ApiError>> {
  const limit = Math.min(500, maxItems);
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor === undefined ? { limit } : { limit, cursor });
    if (!page.ok) return page;
    items.push(...page.value.items);
    cursor = page.value.nextCursor;
  } while (cursor !== undefined && items.length < maxItems);
  return ok(items);
}
