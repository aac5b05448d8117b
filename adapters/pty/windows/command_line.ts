/**
 * Windows gives a program one line of text, and the program takes it apart. Most do as CommandLineToArgvW does
 * ("Parsing C++ command-line arguments" of Microsoft's documentation); batch files are read by cmd.exe, which has rules
 * of its own and runs what it takes for operators.
 */
import { err, ok, type Result } from "../../../core/result.ts";

/** An argument that cmd.exe cannot be given: it would end the line there. */
export interface UnquotableArgument {
  readonly kind: "unquotable";
  readonly argument: string;
}

export interface CommandLine {
  /** Absolute path of what is started. */
  readonly application: string;
  readonly line: string;
}

export function planCommandLine(
  program: string,
  args: readonly string[],
  commandInterpreter: string,
): Result<CommandLine, UnquotableArgument> {
  if (!/\.(?:bat|cmd)$/i.test(program)) {
    return ok({ application: program, line: [program, ...args].map(quoteArgument).join(" ") });
  }
  const unquotable = [program, ...args].find((argument) => /[\r\n\0]/.test(argument));
  if (unquotable !== undefined) return err({ kind: "unquotable", argument: unquotable });
  const inner = [program, ...args].map(quoteForBatch).join(" ");
  // /d: no AutoRun; /s: exactly the outermost quotes are taken away; /v:off: "!" is an ordinary character.
  return ok({
    application: commandInterpreter,
    line: `${quoteArgument(commandInterpreter)} /e:on /v:off /d /s /c "${inner}"`,
  });
}

/** Backslashes are themselves, except before a quote: there each is written twice, and the quote gets one more. */
export function quoteArgument(argument: string): string {
  if (argument !== "" && !/[\s"]/.test(argument)) return argument;
  return `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, "$1$1")}"`;
}

/**
 * Always in quotes, in which cmd.exe takes operators for text. A quote is written twice, so that for cmd.exe the text
 * stays quoted; "%" would begin a variable even there, and an empty part of a variable that is always set ends that.
 */
function quoteForBatch(argument: string): string {
  const quoted = argument.replace(/(\\*)"/g, '$1$1""').replace(/(\\+)$/, "$1$1");
  return `"${quoted.replace(/%/g, "%%cd:~,%")}"`;
}
