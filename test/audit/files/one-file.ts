/** One file that is no page, audited by itself. */
import { ALLOW_NOTHING } from "../../../src/contract/allow.ts";
import { apiCheck } from "../../../src/audit/files/api.ts";
import { auditFile } from "../../../src/audit/files/site-file.ts";
import type { PageRules, FileAudit } from "../../../src/audit/page/rules.ts";
import { OTHER_FILES, ORIGIN } from "../other-files.ts";

const RULES: PageRules = {
  origin: ORIGIN,
  base: "/",
  attribution: null,
  mayAsk: [],
  service: null,
  allow: ALLOW_NOTHING,
  hasFile: (file) => file === "index.html" || file === "tag/love/index.html",
  weights: {
    sheet: () => 0,
    styles: () => new Set(),
    script: () => 0,
    font: () => 0,
    facesOf: () => 0,
  },
};
const checkApi = apiCheck(() => JSON.parse(OTHER_FILES["api/v1/schema.json"] ?? ""));

export const verdictOn = (file: string, content: string): FileAudit =>
  auditFile(file, content, RULES, checkApi);

/** What is found, a line each, without the name of the file. */
export const faultsOf = (file: string, content: string): string[] =>
  verdictOn(file, content).findings.map(({ kind, detail }) => `${kind}: ${detail}`);
