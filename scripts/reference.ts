/**
 * Writes the tables of the documentation from those of the program: commands, settings and exit statuses in docs/reference.md,
 * what may be published in docs/walk.md, the order of answers in docs/search.md, the components in docs/components.md, the
 * modules in docs/api.md; and the style sheet of scripts. `npm run format` runs it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { format } from "prettier";
import { scriptStyles } from "./tables/script-styles.ts";
import { TABLES } from "./tables/tables.ts";

/** The documents that have such tables. */
export const WITH_TABLES = [
  "reference.md",
  "walk.md",
  "search.md",
  "components.md",
  "api.md",
] as const;

const fileOf = (name: string): URL => new URL(`../docs/${name}`, import.meta.url);
/** The text of a document with current tables. */
export function withTables(name: string): Promise<string> {
  const text = readFileSync(fileOf(name), "utf8").replace(
    /(<!-- table (\w+) -->\n).*?(?=<!-- end -->)/gs,
    (_, begin: string, table: string) => `${begin}\n${TABLES[table] ?? ""}\n\n`,
  );
  return format(text, { parser: "markdown", printWidth: 100 });
}

/** The style sheet of scripts. */
export const SCRIPT_SHEET = new URL("../src/styles/scripts.css", import.meta.url);

export function scriptSheet(): Promise<string> {
  return format(scriptStyles(), { parser: "css", printWidth: 100 });
}

if (import.meta.main) {
  writeFileSync(SCRIPT_SHEET, await scriptSheet());
  for (const name of WITH_TABLES) writeFileSync(fileOf(name), await withTables(name));
}
