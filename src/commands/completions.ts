/** `commonplace completions SHELL`: completes commands and options, from the same tables that read them. */
import { UsageError } from "../contract/errors.ts";
import { optionsOf } from "../settings/sources.ts";
import { SETTINGS, type SettingKey } from "../settings/table.ts";
import type { Program } from "./program.ts";

interface Completed {
  readonly summary: string;
  readonly settings: readonly SettingKey[];
}

type Commands = Readonly<Record<string, Completed>>;

const SHELLS: Readonly<Record<string, (commands: Commands) => string>> = {
  bash,
  // zsh runs completions of bash through a module that it brings.
  zsh: (commands) => `autoload -U +X bashcompinit && bashcompinit\n${bash(commands)}`,
  fish,
};

export function completionsProgram(commands: Commands): Program {
  return {
    run: ({ words = [] }) => {
      const script = SHELLS[words[0] ?? ""];
      if (script === undefined) {
        const shells = Object.keys(SHELLS).join(", ");
        return Promise.reject(
          new UsageError(`Cannot complete for ${words[0] ?? "no shell"}: name one of ${shells}`),
        );
      }
      return Promise.resolve({ text: script(commands) });
    },
  };
}

const namesOf = ({ settings }: Completed): string[] => [
  ...optionsOf(settings).map(({ name }) => name),
  ...["help", "version"],
];

function bash(commands: Commands): string {
  const cases = Object.entries(commands).map(
    ([name, row]) =>
      `    ${name}) words="${namesOf(row)
        .map((option) => `--${option}`)
        .join(" ")}" ;;`,
  );
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
  const lines = Object.entries(commands).flatMap(([name, { summary, settings }]) => [
    `complete -c commonplace -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...optionsOf(settings).map(({ key, name: option, value }) => {
      const takesValue = value === undefined ? "" : " -r";
      return `complete -c commonplace -n "__fish_seen_subcommand_from ${name}" -l ${option}${takesValue} -d ${quoted(SETTINGS[key].meaning)}`;
    }),
  ]);
  return lines.join("\n");
}

const quoted = (text: string): string => `'${text.replace(/['\\]/g, "\\$&")}'`;
