/** What axe finds on a page that is open. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type Axe from "axe-core";
import type { Page } from "playwright-core";

const { resolve } = createRequire(import.meta.url);
const source = readFileSync(resolve("axe-core/axe.min.js"), "utf8");

/** Has each page that opens next bring axe along, which takes a third of the time that adding it later takes. */
export const bringAxe = (page: Page): Promise<unknown> => page.addInitScript(source);

/**
 * @param rules default all that axe has
 * @returns a line for each rule that is broken
 */
export async function axeFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(source);
  return page.evaluate(async (names) => {
    const { axe } = globalThis as unknown as { axe: typeof Axe };
    const { violations } = await axe.run(document, {
      resultTypes: ["violations"],
      ...(names === undefined ? {} : { runOnly: [...names] }),
    });
    return violations.map(
      ({ id, nodes: [node] }) => `${id}: ${node?.html.slice(0, 200)} ${node?.failureSummary}`,
    );
  }, rules);
}
