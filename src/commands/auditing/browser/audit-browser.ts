/** Looks at a page of each kind in a browser, in every view: can the attribution be seen and clicked? */
import type { Browser, Page } from "playwright-core";
import type { Finding } from "../../../audit/finding.ts";
import { launchBrowser } from "../../pictures/browser.ts";
import { serveSite } from "../../preview/serve-site.ts";
import { faultOfAttribution } from "./look.ts";
import { nameOf, VIEWS, type View } from "./views.ts";

export interface SiteToLookAt {
  readonly outDir: string;
  readonly base: string;
  /** Addresses of the pages, without the base path. */
  readonly paths: readonly string[];
  /** Default: all of them. */
  readonly views?: readonly View[];
  readonly say?: (line: string) => void;
}

/** In CSS pixels: a footer that stays at the window's edge must still leave room. */
const HEIGHT = 720;

/** @param given a browser that is open already; it stays open */
export async function auditInBrowser(site: SiteToLookAt, given?: Browser): Promise<Finding[]> {
  const browser = given ?? (await launchBrowser());
  const served = await serveSite(site);
  const findings: Finding[] = [];
  try {
    for (const view of site.views ?? VIEWS) {
      site.say?.(nameOf(view));
      findings.push(...(await look(browser, served.url, site.paths, view)));
    }
  } finally {
    await served.close();
    if (given === undefined) await browser.close();
  }
  return findings;
}

/**
 * A page may lead elsewhere as soon as its scripts run: then where it leads is judged. What is seen while it leaves may be
 * neither page, so a fault counts when it is seen twice.
 */
async function judged(
  page: Page,
  blank: Page,
  before: string | null = null,
  tries = 4,
): Promise<string | null> {
  const at = page.url();
  const seen = await faultOfAttribution(page, blank).catch((error: unknown) => ({ error }));
  if (seen === null && page.url() === at) return null;
  if (tries === 1 && typeof seen === "object" && seen !== null) throw seen.error;
  const fault = typeof seen === "string" ? seen : null;
  if (tries === 1 || (fault !== null && fault === before)) return fault;
  // Until it asks for nothing any more: a slow machine takes its time to get where a page leads.
  await page.waitForLoadState("networkidle");
  // Wherever it is by now; and what the first look took away is there again.
  await page.reload();
  return judged(page, blank, fault, tries - 1);
}

async function look(
  browser: Browser,
  url: string,
  paths: readonly string[],
  view: View,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const context = await browser.newContext({
    colorScheme: view.scheme,
    javaScriptEnabled: view.scripts,
    viewport: { width: view.width, height: HEIGHT },
    reducedMotion: "reduce",
  });
  const aside = await browser.newContext();
  try {
    const [page, blank] = [await context.newPage(), await aside.newPage()];
    for (const path of paths) {
      await page.goto(url + path.slice(1));
      const fault = await judged(page, blank);
      if (fault === null) continue;
      findings.push({ kind: "attribution", page: `${path} (${nameOf(view)})`, detail: fault });
    }
  } finally {
    await context.close();
    await aside.close();
  }
  return findings;
}
