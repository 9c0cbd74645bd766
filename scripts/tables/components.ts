/** The tables of docs/components.md. */
import { readFileSync } from "node:fs";
import { COMPONENTS, PROPS_MODULE, USES } from "../../src/themes/components.ts";

export const COMPONENTS_HEAD = ["component", "promise", "purpose", "props"];

export const componentRows = (): string[][] =>
  Object.entries(COMPONENTS).map(([path, { use, purpose, props }]) => [
    `\`${path}.astro\``,
    USES[use],
    purpose,
    props === null ? "" : `\`${props}\``,
  ]);

/** The types of the props, as the module has them, without what it imports. */
export function propsBlock(): string {
  const file = new URL(`../../src/${PROPS_MODULE}.ts`, import.meta.url);
  const [, types = ""] = /^(?:import |\/\*\*)[\s\S]*?\n\n(export [\s\S]*)$/.exec(
    readFileSync(file, "utf8"),
  ) ?? [""];
  return `\`\`\`ts\n${types.trim()}\n\`\`\``;
}
