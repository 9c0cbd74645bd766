/** Writes docs/reference.md from the tables of commands, settings and exit statuses; `npm run format` runs it. */
import { readFileSync, writeFileSync } from "node:fs";
import { format } from "prettier";
import { COMMAND_NAMES, commandOf } from "../src/commands/commands.ts";
import { EXIT, adviceFor, SIGNAL_STATUS, STATUS_MEANING } from "../src/contract/errors.ts";
import { optionOf, optionsOf, SETTING_KEYS, VARIABLES } from "../src/settings/sources.ts";
import { SETTINGS, type Setting } from "../src/settings/table.ts";

const FILE = new URL("../docs/reference.md", import.meta.url);
const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
const table = (head: readonly string[], rows: readonly string[]): string =>
  [row(...head), row(...head.map(() => "---")), ...rows].join("\n");
const code = (text: string | undefined): string => (text === undefined ? "" : `\`${text}\``);
const settings = SETTING_KEYS.map((key) => {
  const { meaning, option, default: text }: Setting = SETTINGS[key];
  const users = COMMAND_NAMES.filter((name) =>
    optionsOf(commandOf(name).settings).some((used) => used.key === key),
  );
  return { key, meaning, option, text, users };
});

const commands = COMMAND_NAMES.map((name) => {
  const { words, summary } = commandOf(name);
  return row(code([name, ...Object.keys(words ?? {})].join(" ")), summary);
});
const options = settings
  .filter(({ option }) => option !== undefined)
  .map(({ option, meaning, text, users }) =>
    row(code(option), meaning, code(text), users.join(", ")),
  )
  .sort();
const variables = settings
  .filter(({ key }) => VARIABLES.includes(key))
  .map(({ key, meaning, text }) => {
    const name = optionOf(key)?.name;
    return row(code(key), meaning, code(text), name === undefined ? "" : code(`--${name}`));
  });
const statuses = [...Object.values(EXIT), ...Object.values(SIGNAL_STATUS)].map((status) =>
  row(code(String(status)), STATUS_MEANING[status] ?? "", adviceFor(status)),
);

const tables: Readonly<Record<string, string>> = {
  commands: table(["command", "does"], commands),
  options: table(["option", "meaning", "default", "commands"], options),
  variables: table(["variable", "meaning", "default", "option"], variables),
  statuses: table(["status", "meaning", "what to do"], statuses),
};

/** The text of docs/reference.md with current tables. */
export function reference(): Promise<string> {
  const text = readFileSync(FILE, "utf8").replace(
    /(<!-- table (\w+) -->\n).*?(?=<!-- end -->)/gs,
    (_, begin: string, name: string) => `${begin}\n${tables[name] ?? ""}\n\n`,
  );
  return format(text, { parser: "markdown", printWidth: 100 });
}

if (import.meta.main) writeFileSync(FILE, await reference());
