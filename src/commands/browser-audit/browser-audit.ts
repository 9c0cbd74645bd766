/**
 * Opens one page of each kind in a browser, in every view, and checks that a reader can see and click the attribution.
 *
 * CSS can hide a link in more ways than a list of rules covers. So the words are removed, and the picture must change.
 */
import type { Browser, Page } from "playwright-core";
import type { Finding } from "../../audit/finding.ts";
import { OWN_KIND } from "../../audit/page/rules.ts";
import type { Settings } from "../../settings/settings.ts";
import { openSiteAs } from "../../site/index.ts";
import { expectedPages } from "../expected-pages.ts";
import { launchBrowser } from "../browser.ts";
import { serveSite } from "../preview/serve-site.ts";
import { blankAttribution, comparePixels, lookAtAttribution } from "./in-page.ts";

export interface View {
  readonly scheme: "light" | "dark";
  /** In CSS pixels. */
  readonly width: number;
  readonly scripts: boolean;
}

export const VIEWS: readonly View[] = (["light", "dark"] as const).flatMap((scheme) =>
  [320, 1280].flatMap((width) => [true, false].map((scripts) => ({ scheme, width, scripts }))),
);

/** In CSS pixels. Low on purpose: a footer that sticks to the window's edge must still leave room. */
const HEIGHT = 720;

/** WCAG 2.2, success criterion 1.4.3. */
const LEAST_CONTRAST = 4.5;

/** Share of the box. Words cover a tenth of their lines or more, so this excludes stray pixels. */
const LEAST_INK = 0.02;

/** A page that navigates meanwhile never gives a picture. */
const SCREENSHOT_TIMEOUT_MS = 5_000;

const MOST_LOOKS = 4;

/** Audits a page of each template of the finished site. A paid tier needs no attribution, so nothing is opened then. */
export async function auditOutputInBrowser(
  settings: Settings,
  showProgress: (line: string) => void,
): Promise<readonly Finding[]> {
  const { outDir, site, service } = settings;
  if (service.plan !== "free") return [];
  using reader = openSiteAs(settings);
  const samples = new Map<string, string>();
  for (const { kind, path } of expectedPages(reader, settings).pages()) {
    // A fork's own pages may each have a template of their own.
    const template = kind === OWN_KIND ? path : kind;
    if (!samples.has(template)) samples.set(template, path);
  }
  return await auditInBrowser({
    outDir,
    base: site.base,
    paths: [...samples.values()],
    showProgress,
  });
}

export interface BrowserAudit {
  readonly outDir: string;
  readonly base: string;
  /** Addresses of the pages, without the base path. */
  readonly paths: readonly string[];
  /** Default: all of them. */
  readonly views?: readonly View[];
  readonly showProgress?: (line: string) => void;
}

/** @param given a browser that is open already; the caller closes it */
export async function auditInBrowser(audit: BrowserAudit, given?: Browser): Promise<Finding[]> {
  await using opened = new AsyncDisposableStack();
  const browser = given ?? opened.use(await launchBrowser());
  await using served = await serveSite(audit);
  const findings: Finding[] = [];
  for (const view of audit.views ?? VIEWS) {
    audit.showProgress?.(viewName(view));
    findings.push(...(await auditView(browser, served.url, audit.paths, view)));
  }
  return findings;
}

async function auditView(
  browser: Browser,
  url: string,
  paths: readonly string[],
  view: View,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  await using context = await browser.newContext({
    colorScheme: view.scheme,
    javaScriptEnabled: view.scripts,
    viewport: { width: view.width, height: HEIGHT },
    reducedMotion: "reduce",
    // What it keeps fills the page of kept pages while that is looked at.
    serviceWorkers: "block",
  });
  await using blankContext = await browser.newContext();
  const [page, blank] = [await context.newPage(), await blankContext.newPage()];
  for (const path of paths) {
    await page.goto(url + path.slice(1));
    const detail = await settledFault(page, blank);
    if (detail !== null) {
      findings.push({ kind: "attribution", page: `${path} (${viewName(view)})`, detail });
    }
  }
  return findings;
}

/**
 * The fault of the page that the address leads to once its scripts have run.
 *
 * A picture taken while a script navigates may show neither page, so a fault counts only when two looks agree.
 */
async function settledFault(page: Page, blank: Page): Promise<string | null> {
  let before: string | null = null;
  for (let look = 1; ; look++) {
    const address = page.url();
    const seen = await attributionFault(page, blank).catch((error: unknown) => ({ error }));
    if (seen === null && page.url() === address) return null;
    if (look === MOST_LOOKS && typeof seen === "object" && seen !== null) throw seen.error;
    const fault = typeof seen === "string" ? seen : null;
    if (look === MOST_LOOKS || (fault !== null && fault === before)) return fault;
    before = fault;
    await page.waitForLoadState("networkidle");
    // The last look removed the words; the address may also be another one by now.
    await page.reload();
  }
}

/**
 * @param page open at the address to audit; its attribution is blanked
 * @param blank an empty page that compares the pictures: the site's own policy forbids `data:` images
 * @returns why a reader cannot see the attribution; null when they can
 */
async function attributionFault(page: Page, blank: Page): Promise<string | null> {
  const { fault, box, colour } = await page.evaluate(lookAtAttribution);
  if (fault !== null) return fault;
  const screenshot = async (): Promise<string> => {
    const options = { clip: box, animations: "disabled", timeout: SCREENSHOT_TIMEOUT_MS } as const;
    return (await page.screenshot(options)).toString("base64");
  };
  const withWords = await screenshot();
  await page.evaluate(blankAttribution);
  const without = await screenshot();
  const { contrast, inked } = await blank.evaluate(comparePixels, { withWords, without, colour });
  if (contrast < LEAST_CONTRAST) {
    return `its contrast is ${contrast.toFixed(1)} to 1, and ${LEAST_CONTRAST} is the least`;
  }
  return inked < LEAST_INK ? "its words do not show" : null;
}

function viewName({ scheme, width, scripts }: View): string {
  return `${scheme}, ${width} px, ${scripts ? "with" : "without"} scripts`;
}
