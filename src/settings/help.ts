/** The text of `--help`, made from the same tables that read the options. */
import type { Option } from "./options.ts";

/** One line on what the command does, then a line an option. */
export function helpText(
  command: string,
  summary: string,
  table: Readonly<Record<string, Option>>,
): string {
  const rows = Object.entries(table).map(([name, option]) => {
    const left = `--${name}${option.value === undefined ? "" : ` ${option.value}`}`;
    return `  ${left.padEnd(24)} ${option.meaning}`;
  });
  return [`npm run ${command} -- [options]`, "", summary, "", ...rows, ""].join("\n");
}
