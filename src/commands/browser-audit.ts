/** Audits a page of each template of the finished site in a browser. */
import { auditInBrowser } from "../audit/browser-audit.ts";
import type { Finding } from "../audit/finding.ts";
import { OWN_KIND } from "../audit/page/rules.ts";
import { languageOf } from "../contract/languages.ts";
import { serveSite } from "../hosts/serve-site.ts";
import type { Settings } from "../settings/settings.ts";
import { openSiteAs } from "../site/index.ts";
import { launchBrowser } from "./browser.ts";
import { expectedPages } from "./expected-pages.ts";
import type { ShowProgress } from "./progress.ts";

/** Audits a page of each template of the finished site. The paid tier needs no attribution. */
export async function auditOutputInBrowser(
  settings: Settings,
  showProgress: ShowProgress,
): Promise<readonly Finding[]> {
  const { outDir, site, service } = settings;
  using reader = openSiteAs(settings);
  const samples = new Map<string, string>();
  const fonts = new Map<string, number>();
  for (const { kind, path, langs, budget } of expectedPages(reader, settings).pages()) {
    // Each page of a fork may have its own template.
    const template = kind === OWN_KIND ? path : kind;
    if (samples.has(template)) continue;
    samples.set(template, path);
    // Each script has typefaces of its own.
    const scripts = new Set(langs.map((lang) => languageOf(lang).script));
    if (budget !== null) fonts.set(path, budget.fonts * Math.max(1, scripts.size));
  }
  const paths = [...samples.values()];
  await using browser = await launchBrowser();
  await using served = await serveSite({ outDir, base: site.base });
  const attribution = service.plan === "free";
  return await auditInBrowser(browser, {
    url: served.url,
    paths,
    fonts,
    attribution,
    showProgress,
  });
}
