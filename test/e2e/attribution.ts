/** Looks at the attribution of a built site in a browser; and rules of style that hide it, as a bad theme might. */
import { appendFileSync, cpSync, globSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { auditInBrowser, VIEWS, type View } from "../../src/commands/browser-audit.ts";
import { tempFolder } from "../support/run/index.ts";

export const PHONE = VIEWS.filter(({ width }) => width === 320);

/** `/random/` leads elsewhere as soon as its script runs. */
export const TEMPLATES = [
  ...["/", "/today/", "/languages/", "/language/ar/", "/tags/", "/tag/rights/", "/authors/"],
  ...["/authors/e/", "/author/unknown/", "/quote/1/", "/search/", "/favourites/", "/random/"],
  ...["/api/", "/about/", "/404.html"],
];

const A = "[data-attribution]";
const OVER = "content:'';inset:0;background:#fff;z-index:9";

/** What a theme may do to the attribution, how, and a piece of what is said of it. */
export const HIDDEN: readonly (readonly [string, string, string])[] = [
  ["takes it out of the page", `${A}{display:none}`, "not shown"],
  ["makes it invisible", `footer{visibility:hidden}`, "not shown"],
  ["makes it transparent", `${A}{opacity:0}`, "not shown"],
  ["makes its footer nearly transparent", `footer{opacity:.3}`, "contrast"],
  ["moves it out of the window", `${A}{position:absolute;left:-9999px}`, "outside of the window"],
  [
    "gives it the colour of the page",
    `${A}{color:color-mix(in srgb,currentColor 5%,#fff)}`,
    "contrast",
  ],
  ["fills its letters with nothing", `${A}{-webkit-text-fill-color:transparent}`, "contrast"],
  ["makes it tiny", `${A}{font-size:2px}`, "too small"],
  ["shrinks it", `${A}{display:inline-block;transform:scale(.1)}`, "too small"],
  ["lays something over it", `body::after{position:fixed;${OVER}}`, "lies over"],
  [
    "lays over it what no click feels",
    `body::after{position:fixed;pointer-events:none;${OVER}}`,
    "do not show",
  ],
  [
    "lays its own box over it",
    `${A}{position:relative}${A}::after{position:absolute;${OVER}}`,
    "do not show",
  ],
  ["cuts it off", `${A}{display:inline-block;clip-path:inset(50%)}`, "cuts it off"],
  ["gives its footer no height", "footer{height:0;overflow:hidden;padding:0;margin:0}", "it "],
];

/** The same where it shows in some views alone: which of the two. */
export const HIDDEN_SOMEWHERE: readonly (readonly [string, Partial<View>, Partial<View>])[] = [
  [
    "@media (prefers-color-scheme:dark){footer *{color:#333!important}}",
    { scheme: "light" },
    { scheme: "dark" },
  ],
  [`@media (max-width:400px){${A}{display:none}}`, { width: 1280 }, { width: 320 }],
  [`@media (min-width:800px){${A}{display:none}}`, { width: 320 }, { width: 1280 }],
  [`@media (scripting:none){${A}{display:none}}`, { scripts: true }, { scripts: false }],
];

export async function faultsOf(
  browser: Browser,
  outDir: string,
  paths: readonly string[],
  views: readonly View[] = VIEWS,
): Promise<string[]> {
  const findings = await auditInBrowser({ outDir, base: "/", paths, views }, browser);
  return findings.map(({ page, detail }) => `${page}: ${detail}`);
}

/** A copy of what `/about/` needs of a site, with one more rule in the sheet of all pages. */
export function withRule(outDir: string, css: string): string {
  const copy = tempFolder("rule");
  for (const folder of ["about", "_astro"]) {
    cpSync(join(outDir, folder), join(copy, folder), { recursive: true });
  }
  const [sheet = ""] = globSync("_astro/Page.*.css", { cwd: copy });
  appendFileSync(join(copy, sheet), css);
  return copy;
}
