/** `astro-commonplace completions SHELL`: a script that completes commands, their arguments and options. */
import { optionsOf } from "../settings/sources.ts";
import { SETTINGS } from "../settings/table.ts";
import { COMMAND_NAMES, commandOf, type CommandRow } from "./commands.ts";
import type { Outcome, ProgramContext } from "./program.ts";

export function run({ words: [shell] }: ProgramContext): Outcome {
  if (shell === "fish") return { text: fish() };
  // zsh runs completions for bash with its module bashcompinit.
  return {
    text: shell === "zsh" ? `autoload -U +X bashcompinit && bashcompinit\n${bash()}` : bash(),
  };
}

/** The choices of the arguments of a command. */
const choicesOf = ({ words = {} }: CommandRow): string[] => Object.values(words).flat();

function bash(): string {
  const cases = COMMAND_NAMES.map((name) => {
    const row = commandOf(name);
    const options = [...optionsOf(row.settings).map((option) => option.name), "help", "version"];
    const words = [...choicesOf(row), ...options.map((option) => `--${option}`)];
    return `    ${name}) words="${words.join(" ")}" ;;`;
  });
  return `_commonplace() {
  local words
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${COMMAND_NAMES.join(" ")}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _commonplace astro-commonplace`;
}

function fish(): string {
  const lines = COMMAND_NAMES.flatMap((name) => {
    const row = commandOf(name);
    const complete = `complete -c astro-commonplace -n "__fish_seen_subcommand_from ${name}"`;
    return [
      `complete -c astro-commonplace -f -n __fish_use_subcommand -a ${name} -d ${quoted(row.summary)}`,
      ...choicesOf(row).map((choice) => `${complete} -f -a ${choice}`),
      ...optionsOf(row.settings).map(({ key, name: option, value }) => {
        const takesValue = value === undefined ? "" : " -r";
        return `${complete} -l ${option}${takesValue} -d ${quoted(SETTINGS[key].meaning)}`;
      }),
    ];
  });
  return lines.join("\n");
}

const quoted = (text: string): string => `'${text.replace(/['\\]/g, "\\$&")}'`;
