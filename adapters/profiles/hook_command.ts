/** The command by which a CLI's hook appends its JSON as one line to a file of the run folder. */

/** Quotes for POSIX sh. */
export function quoteShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

// The file is named by absolute path, since hooks run in the CLI's cwd. A subshell makes the append one group; Linux and
// macOS append writes of this size in one piece.
export function stdinHookCommand(hookFile: string): string {
  return `(cat; echo) >> ${quoteShell(hookFile)}`;
}
