/** A page of each kind of the finished site, looked at in a browser. */
import type { Finding } from "../../audit/finding.ts";
import { OWN_KIND } from "../../audit/page/rules.ts";
import type { Settings } from "../../settings/settings.ts";
import { openSiteAs } from "../../site/index.ts";
import { expectedPages } from "./pages.ts";

/** The browser is a tool of the tests, so it is loaded when it is asked for. */
export async function lookAtOutput(
  settings: Settings,
  say: (line: string) => void,
): Promise<readonly Finding[]> {
  const { outDir, site, service } = settings;
  if (service.plan !== "free") return [];
  const { auditInBrowser } = await import("./browser/audit-browser.ts");
  const reader = openSiteAs(settings);
  try {
    const samples = new Map<string, string>();
    for (const { kind, path } of expectedPages(reader, settings).pages()) {
      // A fork's own pages may each have a template of their own.
      const template = kind === OWN_KIND ? path : kind;
      if (!samples.has(template)) samples.set(template, path);
    }
    return await auditInBrowser({ outDir, base: site.base, paths: [...samples.values()], say });
  } finally {
    reader.close();
  }
}
