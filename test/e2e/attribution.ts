/** Looks at the attribution of a built site in a browser; and rules of style that hide it, as a bad theme might. */
import { cpSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { auditInBrowser, type View } from "../../src/commands/browser-audit.ts";
import { folderWith, tempFolder } from "../support/run/index.ts";

/** `/random/` leads elsewhere as soon as its script runs. */
export const TEMPLATES = [
  ...["/", "/today/", "/languages/", "/language/ar/", "/tags/", "/tag/rights/", "/authors/"],
  ...["/authors/e/", "/author/unknown/", "/quote/1/", "/search/", "/favourites/", "/random/"],
  ...["/api/", "/about/", "/404.html"],
];

const A = "[data-attribution]";
const OVER = "content:'';inset:0;background:#fff;z-index:9";

/** What a theme may do to the attribution, and a piece of what is said of it. */
export const HIDDEN: readonly (readonly [css: string, said: string])[] = [
  [`${A}{display:none}`, "not shown"],
  [`footer{visibility:hidden}`, "not shown"],
  [`${A}{opacity:0}`, "not shown"],
  [`footer{opacity:.3}`, "contrast"],
  [`${A}{position:absolute;left:-9999px}`, "outside of the window"],
  [`${A}{color:color-mix(in srgb,currentColor 5%,#fff)}`, "contrast"],
  [`${A}{-webkit-text-fill-color:transparent}`, "contrast"],
  [`${A}{font-size:2px}`, "too small"],
  [`${A}{display:inline-block;transform:scale(.1)}`, "too small"],
  [`body::after{position:fixed;${OVER}}`, "lies over"],
  // What no click feels.
  [`body::after{position:fixed;pointer-events:none;${OVER}}`, "not visible"],
  [`${A}{position:relative}${A}::after{position:absolute;${OVER}}`, "not visible"],
  [`${A}{display:inline-block;clip-path:inset(50%)}`, "cuts it off"],
  ["footer{height:0;overflow:hidden;padding:0;margin:0}", "it "],
];

const PHONE: View = { scheme: "light", width: 320, scripts: true };

/** The others differ in one thing each from the first. */
export const VIEWS = [
  PHONE,
  { ...PHONE, scheme: "dark" },
  { ...PHONE, width: 1280 },
  { ...PHONE, scripts: false },
] as const satisfies View[];

/** The same where it shows in some of these views alone. */
export const HIDDEN_SOMEWHERE: readonly (readonly [string, readonly number[]])[] = [
  ["@media (prefers-color-scheme:dark){footer *{color:#333!important}}", [1]],
  [`@media (max-width:400px){${A}{display:none}}`, [0, 1, 3]],
  [`@media (min-width:800px){${A}{display:none}}`, [2]],
  [`@media (scripting:none){${A}{display:none}}`, [3]],
];

export async function faultsOf(
  browser: Browser,
  outDir: string,
  paths: readonly string[],
  views: readonly View[],
): Promise<string[]> {
  const findings = await auditInBrowser(browser, { outDir, base: "/", paths, views });
  return findings.map(({ page, detail }) => `${page}: ${detail}`);
}

/** A copy of `/about/` for each rule, with it in the sheet of all pages: `/0/` for the first. */
export function withRules(outDir: string, rules: readonly string[]): string {
  const copy = tempFolder("rules");
  cpSync(join(outDir, "_astro"), join(copy, "_astro"), { recursive: true });
  const html = readFileSync(join(outDir, "about/index.html"), "utf8");
  const [sheet = ""] = globSync("_astro/Page.*.css", { cwd: copy });
  const css = readFileSync(join(copy, sheet), "utf8");
  for (const [at, rule] of rules.entries()) {
    const own = `_astro/rule-${at}.css`;
    const files = { [own]: css + rule, [`${at}/index.html`]: html.replaceAll(sheet, own) };
    folderWith(files, copy);
  }
  return copy;
}
