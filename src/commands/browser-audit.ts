/** Audits a page of each template of the finished site in a browser. */
import { auditInBrowser } from "../audit/browser-audit.ts";
import type { Finding } from "../audit/finding.ts";
import { OWN_KIND } from "../audit/page/rules.ts";
import { serveSite } from "../hosts/serve-site.ts";
import type { Settings } from "../settings/settings.ts";
import { openSiteAs } from "../site/index.ts";
import { launchBrowser } from "./browser.ts";
import { expectedPages } from "./expected-pages.ts";
import type { ShowProgress } from "./progress.ts";

/** Audits a page of each template of the finished site. The paid tier needs no attribution, so no page is opened. */
export async function auditOutputInBrowser(
  settings: Settings,
  showProgress: ShowProgress,
): Promise<readonly Finding[]> {
  const { outDir, site, service } = settings;
  if (service.plan !== "free") return [];
  using reader = openSiteAs(settings);
  const samples = new Map<string, string>();
  for (const { kind, path } of expectedPages(reader, settings).pages()) {
    // Each page of a fork may have its own template.
    const template = kind === OWN_KIND ? path : kind;
    if (!samples.has(template)) samples.set(template, path);
  }
  const paths = [...samples.values()];
  await using browser = await launchBrowser();
  await using served = await serveSite({ outDir, base: site.base });
  return await auditInBrowser(browser, { url: served.url, paths, showProgress });
}
