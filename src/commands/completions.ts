/** `commonplace completions SHELL`: completes commands, their words and options, from the tables that read them. */
import { optionsOf } from "../settings/sources.ts";
import { SETTINGS } from "../settings/table.ts";
import { COMMAND_NAMES, commandOf, type CommandRow } from "./commands.ts";
import type { Outcome, ProgramContext } from "./program.ts";

export function run({ words: [shell] }: ProgramContext): Outcome {
  if (shell === "fish") return { text: fish() };
  // zsh runs completions of bash through a module that it brings.
  return {
    text: shell === "zsh" ? `autoload -U +X bashcompinit && bashcompinit\n${bash()}` : bash(),
  };
}

/** What the words of a command may be, for those that are one of a few. */
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
complete -o default -F _commonplace commonplace`;
}

function fish(): string {
  const lines = COMMAND_NAMES.flatMap((name) => {
    const row = commandOf(name);
    const seen = `complete -c commonplace -n "__fish_seen_subcommand_from ${name}"`;
    return [
      `complete -c commonplace -f -n __fish_use_subcommand -a ${name} -d ${quoted(row.summary)}`,
      ...choicesOf(row).map((choice) => `${seen} -f -a ${choice}`),
      ...optionsOf(row.settings).map(({ key, name: option, value }) => {
        const takesValue = value === undefined ? "" : " -r";
        return `${seen} -l ${option}${takesValue} -d ${quoted(SETTINGS[key].meaning)}`;
      }),
    ];
  });
  return lines.join("\n");
}

const quoted = (text: string): string => `'${text.replace(/['\\]/g, "\\$&")}'`;
