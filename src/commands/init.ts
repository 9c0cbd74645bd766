/** `astro-commonplace init DIR`: writes the files of a new site. Needs no network. */
import { join, resolve } from "node:path";
import { readOption } from "../settings/sources.ts";
import { themePlaces } from "../themes/site-folder.ts";
import { themeFolders } from "../themes/theme.ts";
import { ask } from "./ask.ts";
import { installerOf, makeProject } from "./new-project.ts";
import type { Outcome, ProgramContext } from "./program.ts";

/** What is asked on a terminal, by the option that says the same, and the answer of an empty line. */
const QUESTIONS = {
  siteTitle: ["Title of the site", "Quotes"],
  QUOTES_BASE_URL: [
    "Address of the quotes service, empty for a trial with the built-in quotes",
    "",
  ],
  siteUrl: ["Address of the finished site, empty if it is not known", ""],
} as const;

export async function run({ words, options, signal }: ProgramContext): Promise<Outcome> {
  const [name = ""] = words;
  const isAsked = Object.keys(options).every((key) => key === "json");
  const {
    siteFile: data = null,
    siteTheme: theme = "folio",
    ...given
  } = isAsked ? await ask(QUESTIONS, signal, readOption) : options;
  themeFolders(theme, themePlaces());
  const folder = resolve(name);
  const { siteTitle: title = "Quotes", QUOTES_BASE_URL: service, siteUrl: url = "" } = given;
  const baseUrl = service?.url ?? "";
  const installer = installerOf(process.env["npm_config_user_agent"] ?? "");
  const files = makeProject(folder, { title, baseUrl, url, data, theme, installer });
  const written = files.map((file) => join(name, file)).join("\n");
  return {
    text: `${written}\nNext: cd ${name} && ${installer.name} install && ${installer.name} run build`,
    result: { folder, files },
  };
}
