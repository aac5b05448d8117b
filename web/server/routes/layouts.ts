/** Layouts over HTTP. */
import type { Hono } from "hono";
import type { App } from "../../../core/app/app.ts";
import { layoutEndpoints } from "../../api/layouts.ts";
import { paginate } from "../paging.ts";
import { register } from "../register.ts";

export function registerLayouts(router: Hono, { layouts }: App): void {
  register(router, layoutEndpoints.list, ({ params, query }) => {
    const all = layouts.list(params.projectId);
    return all.ok ? paginate(all.value, query, (layout) => layout.layoutId) : all;
  });
  register(
    router,
    layoutEndpoints.operate,
    ({ params, body }) => layouts.operate(params.projectId, params.layoutId, body),
  );
}
