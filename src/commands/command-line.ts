/** Reads the command line with commander, from the tables of commands and settings. */
import { Argument, Command, CommanderError, Option } from "commander";
import { VERSION } from "../util/version.ts";
import { UsageError, STATUS_MEANING } from "../contract/errors.ts";
import { optionsOf, readOption, VARIABLES, type Values } from "../settings/sources.ts";
import { SETTINGS, type Setting, type SettingKey } from "../settings/table.ts";
import {
  COMMAND_NAMES,
  commandOf,
  COMMON,
  statusesOf,
  type CommandName,
  type CommandRow,
} from "./commands.ts";

export type Request =
  | { readonly kind: "print"; readonly text: string }
  | {
      readonly kind: "run";
      readonly command: CommandName;
      readonly options: Values;
      readonly words: readonly string[];
      /** Given options that have no effect in this command. */
      readonly idle: readonly string[];
    };

/** @throws {UsageError} for an unknown command, option or value, with the nearest known one */
export function readCommandLine(argv: readonly string[]): Request {
  let request: Request | undefined;
  let printed = "";
  const program = new Command("astro-commonplace")
    .description("Turns a quotes service into a static site.")
    .version(VERSION, "--version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .addHelpText("after", "\nOptions of a command: astro-commonplace COMMAND --help");
  for (const name of COMMAND_NAMES) {
    program.addCommand(subcommand(name, (read) => (request = read)));
  }
  for (const each of [program, ...program.commands]) {
    each
      .exitOverride()
      .configureOutput({ writeOut: (text) => (printed += text), writeErr: () => undefined });
  }
  try {
    program.parse(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: "print", text: printed };
    throw new UsageError(`Cannot read the command line: ${complaint(error, argv)}`);
  }
  if (request === undefined) throw new Error("commander ran no command");
  return request;
}

function subcommand(name: CommandName, found: (request: Request) => void): Command {
  const row = commandOf(name);
  const hidden =
    row.common === undefined ? [] : COMMON.filter((key) => !row.settings.includes(key));
  const command = new Command(name)
    .description(row.summary)
    .version(VERSION, "--version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", () => `${variablesText(row.settings)}\n${statusText(row)}`);
  for (const [name, choices] of Object.entries(row.words ?? {})) {
    const argument = new Argument(name);
    command.addArgument(choices.length === 0 ? argument : argument.choices(choices));
  }
  const accepted = optionsOf([...row.settings, ...hidden]);
  const options: Partial<Record<SettingKey, unknown>> = {};
  for (const { key, name, value } of accepted) {
    const flags = value === undefined ? `--${name}` : `--${name} <${value}>`;
    const meaning = meaningOf(
      key,
      VARIABLES.filter((variable) => variable === key),
    );
    command.addOption(new Option(flags, meaning).hideHelp(hidden.includes(key)));
    command.on(`option:${name}`, (text: string | null) => {
      options[key] = readOption(key, text ?? true);
    });
  }
  return command.action((...given: unknown[]) => {
    const idle = accepted.filter(({ key }) => hidden.includes(key) && key in options);
    found({
      kind: "run",
      command: name,
      options: options as Values,
      words: given.filter((word) => typeof word === "string"),
      idle: idle.map((option) => option.name),
    });
  });
}

/** The meaning of a setting, and in parentheses its default and `variable`. */
function meaningOf(key: SettingKey, variable: readonly string[] = []): string {
  const { meaning, default: text }: Setting = SETTINGS[key];
  const notes = [...(text === undefined ? [] : [`default ${text}`]), ...variable];
  return notes.length === 0 ? meaning : `${meaning} (${notes.join(", ")})`;
}

function variablesText(settings: readonly SettingKey[]): string {
  const options = new Set(optionsOf(settings).map(({ key }) => key));
  const alone = settings.filter((key) => !options.has(key));
  if (alone.length === 0) return "";
  const rows = alone.map((key) => `  ${key.padEnd(22)}${meaningOf(key)}`);
  return ["", "Environment:", ...rows].join("\n");
}

function statusText(row: CommandRow): string {
  const rows = statusesOf(row).map(
    (status) => `  ${String(status).padEnd(5)}${STATUS_MEANING[status] ?? ""}`,
  );
  return ["", "Exit status:", ...rows].join("\n");
}

/** The message of commander, in one line and in the form of the project's other messages. */
function complaint({ code, message }: CommanderError, argv: readonly string[]): string {
  if (code === "commander.help") return "expected a command; see astro-commonplace --help";
  const reason = message
    .replace(/^error: /, "")
    .replace(/\n\(Did you mean (.*)\?\)$/s, "; did you mean $1?");
  const command = COMMAND_NAMES.filter((name) => name === argv[0]);
  const help = ["astro-commonplace", ...command, "--help"].join(" ");
  return reason.endsWith("?")
    ? `${reason} See ${help}`
    : `${reason.replace(/\.$/, "")}; see ${help}`;
}
