/** `commonplace completions SHELL`: completes commands, their words and options, from the tables that read them. */
import { optionsOf } from "../settings/sources.ts";
import { SETTINGS, type SettingKey } from "../settings/table.ts";
import type { Program } from "./program.ts";

interface Completed {
  readonly summary: string;
  readonly words?: Readonly<Record<string, readonly string[]>>;
  readonly settings: readonly SettingKey[];
}

type Commands = Readonly<Record<string, Completed>>;

const SHELLS: Readonly<Record<string, (commands: Commands) => string>> = {
  bash,
  // zsh runs completions of bash through a module that it brings.
  zsh: (commands) => `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`,
  fish,
};

export const SHELL_NAMES = Object.keys(SHELLS);

export const completionsProgram = (commands: Commands): Program => ({
  // The command line accepts no other shell.
  run: ({ words: [shell = ""] }) => Promise.resolve({ text: SHELLS[shell]?.(commands) ?? "" }),
});

/** What the words of a command may be, for those that are one of a few. */
const choicesOf = ({ words = {} }: Completed): string[] => Object.values(words).flat();

function bash(commands: Commands): string {
  const cases = Object.entries(commands).map(([name, row]) => {
    const options = [...optionsOf(row.settings).map((option) => option.name), "help", "version"];
    const words = [...choicesOf(row), ...options.map((option) => `--${option}`)];
    return `    ${name}) words="${words.join(" ")}" ;;`;
  });
  return `_commonplace() {
  local words
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${Object.keys(commands).join(" ")}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _commonplace commonplace`;
}

function fish(commands: Commands): string {
  const lines = Object.entries(commands).flatMap(([name, row]) => {
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
