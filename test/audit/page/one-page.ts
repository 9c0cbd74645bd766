/** One page audited by itself, without a site around it. */
import { ALLOW_NOTHING } from "../../../src/contract/allow.ts";
import { lineOf } from "../../../src/audit/finding.ts";
import { auditPage } from "../../../src/audit/page/audit-page.ts";
import type { PageRules, PageToAudit } from "../../../src/audit/page/rules.ts";
import { ATTRIBUTION } from "../site.ts";

const RULES: PageRules = {
  origin: "https://q.example",
  base: "/",
  attribution: ATTRIBUTION,
  mayAsk: ["https://votes.example"],
  service: "https://service.example",
  allow: ALLOW_NOTHING,
  hasFile: (file) => !file.includes("missing"),
  weights: {
    sheet: (file) => (file === "a.css" ? 100 : 30),
    styles: (file) => new Set(file === "a.css" ? ["masthead", "months"] : []),
    script: () => 50,
    font: () => 60,
    facesOf: (file) => (file === "b.css" ? 50 : 0),
  },
};
const PAGE: PageToAudit = {
  path: "/x/",
  file: "x/index.html",
  quotes: null,
  langs: ["en"],
  budget: { html: 1_000, css: 100, js: 100, fonts: 100 },
  unlisted: false,
  kind: "page",
};

/** What is found, a line each, without the name of the page. */
export function auditHtml(
  html: string | Buffer,
  more: Partial<PageToAudit> = {},
  rules: Partial<PageRules> = {},
): string[] {
  const { findings } = auditPage(Buffer.from(html), { ...PAGE, ...more }, { ...RULES, ...rules });
  return findings.map((finding) => lineOf(finding).replace(": /x/", ""));
}
