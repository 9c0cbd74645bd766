/**
 * The headers of a finished site, in the form of each host.
 *
 * The policy of a page is in its `<meta>`, which cannot say who may frame the page: the header says that, and nothing that
 * a page could contradict.
 */
import { readdirSync } from "node:fs";
import { onDisk } from "../files/disk.ts";
import { REPORT_FILE, REPORT_FILES } from "../files/folders.ts";
import { HOST_FILES } from "./presets.ts";

export interface HeaderRule {
  /** From the host's root: a path, or all below a folder where `below` is set. Percent-encoded. */
  readonly path: string;
  readonly below: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Features that no page uses. The clipboard and sharing are not in the list: cards use them. */
const DENIED =
  "accelerometer camera display-capture geolocation gyroscope magnetometer microphone midi payment usb";

/** For every answer, also for a page that does not exist. No other rule names one of these. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  // Votes need the origin, which a stricter value would omit.
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Permissions-Policy": DENIED.split(" ")
    .map((feature) => `${feature}=()`)
    .join(", "),
};

/** For every part but the pages to embed; the rule for everything also matches these. */
const UNFRAMED: Readonly<Record<string, string>> = {
  "Content-Security-Policy": "frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
};

/** Folders of files whose name changes with their content. */
const HASHED = new Set(["_astro", "_cards", "_pictures", "letters"]);
/** The pages that other sites may frame. */
const EMBEDDED = "embed";

/**
 * Some hosts join the values that several rules give one header, others take the last: so every part of the site has one
 * rule of its own, and the rule for everything names other headers.
 *
 * @param base with slashes at both ends
 * @param most rules that the host accepts; null for any number
 * @returns the rule for everything, then one for each entry at the top of the folder; the build report is always one of them
 * @throws {DiskError} when the folder cannot be read
 */
export function headerRules(outDir: string, base: string, most: number | null): HeaderRule[] {
  const entries = onDisk("read", outDir, () => readdirSync(outDir, { withFileTypes: true }));
  const parts = entries
    .filter(({ name }) => !HOST_FILES.has(name) && !REPORT_FILES.has(name))
    .map((entry) => ruleOf(entry.name, entry.isDirectory(), base));
  // Folders first: a host that accepts few rules answers for single files as its default is.
  parts.sort((a, b) => Number(b.below) - Number(a.below) || (a.path < b.path ? -1 : 1));
  const everything = { path: base, below: true, headers: EVERYWHERE };
  return [everything, ...parts, ruleOf(REPORT_FILE, false, base)].slice(0, most ?? Infinity);
}

function ruleOf(name: string, below: boolean, base: string): HeaderRule {
  const path = name === "index.html" ? base : base + encodeURIComponent(name) + (below ? "/" : "");
  if (HASHED.has(name)) {
    return { path, below, headers: { "Cache-Control": "public, max-age=31536000, immutable" } };
  }
  const headers = {
    "Cache-Control": "public, max-age=0, must-revalidate",
    ...(name === EMBEDDED ? { "Content-Security-Policy": "frame-ancestors *" } : UNFRAMED),
  };
  return { path, below, headers };
}

/** `_headers` of Cloudflare and Netlify: a path, and below it a header a line. */
export function headersFile(rules: readonly HeaderRule[]): string {
  const blocks = rules.map(({ path, below, headers }) => {
    const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
    return `${path}${below ? "*" : ""}\n${lines.join("")}`;
  });
  return blocks.join("\n");
}

/** `headers` of `vercel.json`. */
export function vercelHeaders(rules: readonly HeaderRule[]) {
  return rules.map(({ path, below, headers }) => ({
    source: vercelPattern(path) + (below ? "(.*)" : ""),
    headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
  }));
}

/** A path as a literal in a pattern of Vercel. */
export function vercelPattern(path: string): string {
  return path.replace(/[()[\]{}*+?:!.|^$\\]/g, "\\$&");
}

/** For your own server. A location with headers has none of those outside, so each names them all. */
export function nginxSnippet([everything, ...parts]: readonly HeaderRule[]): string {
  const common = everything?.headers ?? {};
  // A dollar sign would begin a variable, and nginx has no escape for it.
  const quoted = (text: string): string =>
    `"${text.replace(/[$\p{Cc}]/gu, "").replace(/["\\]/g, "\\$&")}"`;
  const linesOf = (headers: HeaderRule["headers"]): string =>
    Object.entries(headers)
      .map(([name, value]) => `  add_header ${name} ${quoted(value)} always;\n`)
      .join("");
  const locations = parts.map(({ path, below, headers }) => {
    // nginx answers the address of a folder from its index file, whose location it then looks up.
    const file = decodeURIComponent(!below && path.endsWith("/") ? `${path}index.html` : path);
    return `location ${below ? "^~" : "="} ${quoted(file)} {\n${linesOf({ ...common, ...headers })}}\n`;
  });
  return `# Headers of the site: include this file in its server block. Each render writes it (docs/hosts.md).\n
${linesOf(common)}\n${locations.join("\n")}`;
}
