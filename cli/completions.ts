/** Completions for the shells, made of the table of commands: commands, their options, and the names of agents. */
import { COMMAND_NAMES, type CommandName, GROUPS, specOf } from "./commands.ts";

export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof SHELLS)[number];

export function isShell(name: string): name is Shell {
  return SHELLS.some((shell) => shell === name);
}

export function formatCompletions(shell: Shell): string {
  switch (shell) {
    case "bash":
      return bash();
    case "zsh":
      return zsh();
    case "fish":
      return fish();
    case "powershell":
      return powershell();
  }
}

interface Node {
  readonly word: string;
  readonly summary: string;
}

/** First words, then the second words of a group. */
const FIRST: readonly Node[] = [...new Set(COMMAND_NAMES.map((name) => name.split(" ")[0] ?? ""))]
  .map((word) => ({
    word,
    summary: GROUPS[word] ?? summaryOf(word),
  }));

function summaryOf(word: string): string {
  const name = COMMAND_NAMES.find((command) => command === word);
  return name === undefined ? "" : specOf(name).summary;
}

interface Group {
  readonly first: string;
  readonly second: readonly Node[];
}

const SECOND: readonly Group[] = Object.keys(GROUPS).map((first) => ({
  first,
  second: COMMAND_NAMES.filter((name) => name.startsWith(`${first} `))
    .map((name) => ({ word: name.slice(first.length + 1), summary: specOf(name).summary })),
}));

function takesAgent(name: CommandName): boolean {
  return specOf(name).takes[0] === "AGENT";
}

function optionsOf(name: CommandName): readonly string[] {
  return Object.keys(specOf(name).options).map((option) => `--${option}`);
}

/** Prints the names of the agents here, one a line; nothing when no server runs. */
const LIST_AGENTS = String.raw`idea agents --json 2>/dev/null | sed -n 's/^    "name": "\(.*\)",\{0,1\}$/\1/p'`;

const words = (nodes: readonly Node[]) => nodes.map(({ word }) => word).join(" ");

function bash(): string {
  const cases = COMMAND_NAMES.map((name) => {
    const agents = takesAgent(name) ? ` agents=1` : "";
    return `    ${name.includes(" ") ? `"${name}"` : name}) options="${optionsOf(name).join(" ")}"${agents} ;;`;
  });
  const groups = SECOND.map(({ first, second }) =>
    `  if [ "$command" = ${first} ]; then
    if [ "$COMP_CWORD" = 2 ]; then
      COMPREPLY=($(compgen -W "${words(second)}" -- "$current")); return
    fi
    command="${first} \${COMP_WORDS[2]}"
  fi`
  );
  return `# bash completions of idea: idea completions bash > ~/.local/share/bash-completion/completions/idea
_idea() {
  local current=\${COMP_WORDS[COMP_CWORD]} command=\${COMP_WORDS[1]:-} options="" agents="" choices=""
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "${words(FIRST)}" -- "$current")); return
  fi
${groups.join("\n")}
  case $command in
${cases.join("\n")}
    completions) choices="${SHELLS.join(" ")}" ;;
    help) choices="${words(FIRST)}" ;;
  esac
  case $current in
    -*) COMPREPLY=($(compgen -W "$options --help" -- "$current")); return ;;
  esac
  if [ -n "$agents" ] && [ "$COMP_CWORD" = 2 ]; then
    local IFS=$'\\n'
    COMPREPLY=($(compgen -W "$(${LIST_AGENTS})" -- "$current")); return
  fi
  [ -n "$choices" ] && COMPREPLY=($(compgen -W "$choices" -- "$current")) && return
  COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _idea idea
`.replaceAll(/^ {4}(completions|help)\) options=.*\n/gm, "");
}

function zsh(): string {
  const describe = (nodes: readonly Node[]) =>
    nodes.map(({ word, summary }) => `'${word}:${summary.replaceAll("'", "'\\''").replaceAll(":", "\\:")}'`).join(
      "\n    ",
    );
  const cases = COMMAND_NAMES.map((name) => {
    const options = Object.entries(specOf(name).options).map(([option, { value, summary }]) => {
      const text = summary.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, "\\$&");
      return `'--${option}[${text}]${value === undefined ? "" : `:${value.toLowerCase()}:_files`}'`;
    });
    const agents = takesAgent(name) ? `'1:agent:_idea_agents'` : "";
    return `    '${name}') _arguments ${
      [...options, agents, "'*:file:_files'"].filter((part) => part !== "").join(" ")
    } ;;`;
  });
  const groups = SECOND.map(({ first, second }) =>
    `  if [[ $command == ${first} ]]; then
    second=(
    ${describe(second)}
    )
    if (( CURRENT == 2 )); then _describe command second; return; fi
    command="${first} $words[2]"
    shift words; (( CURRENT-- ))
  fi`
  );
  return `#compdef idea
# zsh completions of idea: idea completions zsh > "\${fpath[1]}/_idea"
_idea_agents() {
  local -a names
  names=("\${(@f)$(${LIST_AGENTS})}")
  compadd -a names
}
_idea() {
  local -a first second
  first=(
    ${describe(FIRST)}
  )
  if (( CURRENT == 2 )); then _describe command first; return; fi
  local command=$words[2]
  shift words; (( CURRENT-- ))
${groups.join("\n")}
  case $command in
${cases.join("\n")}
  esac
}
_idea "$@"
`;
}

function fish(): string {
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines = [
    "# fish completions of idea: idea completions fish > ~/.config/fish/completions/idea.fish",
    "complete -c idea -f",
    ...FIRST.map(({ word, summary }) => `complete -c idea -n __fish_use_subcommand -a ${word} -d ${quoted(summary)}`),
    ...SECOND.flatMap(({ first, second }) => {
      const here = `__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${words(second)}`;
      return second.map(({ word, summary }) => `complete -c idea -n ${quoted(here)} -a ${word} -d ${quoted(summary)}`);
    }),
    ...COMMAND_NAMES.flatMap((name) => fishCommand(name, quoted)),
    `complete -c idea -n '__fish_seen_subcommand_from completions' -a ${quoted(SHELLS.join(" "))}`,
    `complete -c idea -n '__fish_seen_subcommand_from open' -F`,
  ];
  return `${lines.join("\n")}\n`;
}

function fishCommand(name: CommandName, quoted: (text: string) => string): readonly string[] {
  const seen = quoted(name.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`).join("; and "));
  const options = Object.entries(specOf(name).options).map(([option, { value, summary }]) =>
    `complete -c idea -n ${seen} -l ${option}${value === undefined ? "" : " -r"} -d ${quoted(summary)}`
  );
  return takesAgent(name) ? [...options, `complete -c idea -n ${seen} -a ${quoted(`(${LIST_AGENTS})`)}`] : options;
}

function powershell(): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const list = (items: readonly string[]) => `@(${items.map(quoted).join(", ")})`;
  const options = COMMAND_NAMES.map((name) => `    ${quoted(name)} = ${list([...optionsOf(name), "--help"])}`);
  const seconds = SECOND.map(({ first, second }) => `    ${quoted(first)} = ${list(second.map(({ word }) => word))}`);
  return `# PowerShell completions of idea: idea completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName idea -ScriptBlock {
  param($current, $ast, $position)
  $first = ${list(FIRST.map(({ word }) => word))}
  $second = @{
${seconds.join("\n")}
  }
  $options = @{
${options.join("\n")}
  }
  $typed = @($ast.CommandElements | ForEach-Object { $_.ToString() } | Select-Object -Skip 1)
  if ($current) { $typed = @($typed | Select-Object -SkipLast 1) }
  $choices = if ($typed.Count -eq 0) { $first }
    elseif ($second.ContainsKey($typed[0]) -and $typed.Count -eq 1) { $second[$typed[0]] }
    elseif ($second.ContainsKey($typed[0])) { $options["$($typed[0]) $($typed[1])"] }
    elseif ($typed[0] -eq 'completions') { ${list(SHELLS)} }
    elseif ($typed[0] -eq 'help') { $first }
    else { $options[$typed[0]] }
  $choices | Where-Object { $_ -like "$current*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`;
}
