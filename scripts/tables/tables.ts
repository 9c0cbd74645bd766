/** The tables of the documentation, by name, from those of the program. */
import { COMMAND_NAMES, commandOf } from "../../src/commands/commands.ts";
import { EXIT, adviceFor, SIGNAL_STATUS, STATUS_MEANING } from "../../src/contract/errors.ts";
import { optionOf, optionsOf, SETTING_KEYS, VARIABLES } from "../../src/settings/sources.ts";
import { SETTINGS, type Setting } from "../../src/settings/table.ts";
import { methodList, moduleList, typesBlock } from "./api.ts";
import { COMPONENTS_HEAD, componentRows, propsBlock } from "./components.ts";
import { PUBLISHING_HEAD, publishingRows } from "./publishing.ts";
import { costRows, COSTS_HEAD, placeRows, PLACES_HEAD, rankRows, RANKS_HEAD } from "./search.ts";

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

export const TABLES: Readonly<Record<string, string>> = {
  commands: table(["command", "does"], commands),
  options: table(["option", "meaning", "default", "commands"], options),
  variables: table(["variable", "meaning", "default", "option"], variables),
  statuses: table(["status", "meaning", "what to do"], statuses),
  publishing: table(
    PUBLISHING_HEAD,
    publishingRows().map((cells) => row(...cells)),
  ),
  components: table(
    COMPONENTS_HEAD,
    componentRows().map((cells) => row(...cells)),
  ),
  props: propsBlock(),
  site: moduleList("site/public.ts"),
  reader: methodList("site/site-reader.ts", "SiteReader"),
  harvest: moduleList("harvest/library.ts"),
  harvestOptions: typesBlock("harvest/library.ts", ["HarvestOptions"]),
  ranks: table(
    RANKS_HEAD,
    rankRows().map((cells) => row(...cells)),
  ),
  places: table(
    PLACES_HEAD,
    placeRows().map((cells) => row(...cells)),
  ),
  costs: table(
    COSTS_HEAD,
    costRows().map((cells) => row(...cells)),
  ),
};
