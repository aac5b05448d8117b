/** How this very program is started again: a server for the bridge, a window beside the server. */

export interface Self {
  /** Deno.execPath() */
  readonly execPath: string;
  /** Deno.mainModule */
  readonly mainModule: string;
  /** Deno.build.standalone: made by `deno compile`. */
  readonly standalone: boolean;
  readonly env: Readonly<Record<string, string>>;
}

export function thisProgram(): Self {
  const { standalone } = Deno.build;
  return { execPath: Deno.execPath(), mainModule: Deno.mainModule, standalone, env: Deno.env.toObject() };
}

/** Program and first arguments, to be followed by those of IdeA. */
export function selfCommand({ execPath, mainModule, standalone, env }: Self): readonly [string, ...string[]] {
  const launcher = env["IDEA_SELF"];
  if (launcher !== undefined) return [launcher];
  // From source: -P is the permission set of the deno.json that stands beside main.ts.
  return standalone ? [execPath] : [execPath, "run", "--quiet", "-P", "--no-prompt", mainModule];
}
