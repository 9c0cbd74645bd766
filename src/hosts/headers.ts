/**
 * The headers of a finished site, in the format of each host.
 *
 * Each page has its content security policy in a `<meta>`, which cannot restrict framing: the header does that alone.
 */
import { readdirSync } from "node:fs";
import { onDisk } from "../files/disk.ts";
import { REPORT_FILE, REPORT_FILES } from "../files/folders.ts";
import { HOST_FILES } from "./presets.ts";

export interface HeaderRule {
  /** From the host's root, percent-encoded. */
  readonly path: string;
  /** Whether the rule is for everything below the path. */
  readonly below: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Browser features that no page uses. Cards use the clipboard and sharing. */
const DENIED =
  "accelerometer camera display-capture geolocation gyroscope magnetometer microphone midi payment usb";

/** Headers of every response, also of the 404 page. No other rule sets one of these. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  // A vote request needs the origin, which a stricter value would omit.
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Permissions-Policy": DENIED.split(" ")
    .map((feature) => `${feature}=()`)
    .join(", "),
  // Programs of other sites read the API, feeds, calendars and oEmbed. The files are public and need no credentials.
  "Access-Control-Allow-Origin": "*",
};

/** Headers of all pages but those that other sites embed. */
const UNFRAMED: Readonly<Record<string, string>> = {
  "Content-Security-Policy": "frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
};

/** Folders of files that have a digest of their content in their name. */
const HASHED = new Set(["_astro", "_cards", "_pictures", "letters"]);
/** Folder of the pages that other sites may frame. */
const EMBEDDED = "embed";

/**
 * Hosts differ where several rules set one header: some join the values, others take the last. So no two rules that match one
 * path set the same header.
 *
 * @param base with slashes at both ends
 * @param most rules that the host accepts; null for any number
 * @returns a rule for every path, then one for each entry at the top of the output folder and for the build report
 * @throws {DiskError} when the folder cannot be read
 */
export function headerRules(outDir: string, base: string, most: number | null): HeaderRule[] {
  const entries = onDisk("read", outDir, () => readdirSync(outDir, { withFileTypes: true }));
  const parts = entries
    .filter(({ name }) => !HOST_FILES.has(name) && !REPORT_FILES.has(name))
    .map((entry) => ruleOf(entry.name, entry.isDirectory(), base));
  // Folders first: where a host accepts too few rules, single files get its default headers.
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

/** `_headers` of Cloudflare and Netlify: a path, then one header per line. */
export function headersFile(rules: readonly HeaderRule[]): string {
  const blocks = rules.map(({ path, below, headers }) => {
    const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
    return `${path}${below ? "*" : ""}\n${lines.join("")}`;
  });
  return blocks.join("\n");
}

export function vercelHeaders(rules: readonly HeaderRule[]) {
  return rules.map(({ path, below, headers }) => ({
    source: vercelPattern(path) + (below ? "(.*)" : ""),
    headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
  }));
}

/** Escapes a path for use as a pattern of Vercel. */
export function vercelPattern(path: string): string {
  return path.replace(/[()[\]{}*+?:!.|^$\\]/g, "\\$&");
}

/** Configuration for nginx. A location with headers inherits none, so each location repeats the common ones. */
export function nginxSnippet([everything, ...parts]: readonly HeaderRule[]): string {
  const common = everything?.headers ?? {};
  // nginx has no escape for a dollar sign, which begins a variable.
  const quoted = (text: string): string =>
    `"${text.replace(/[$\p{Cc}]/gu, "").replace(/["\\]/g, "\\$&")}"`;
  const linesOf = (headers: HeaderRule["headers"]): string =>
    Object.entries(headers)
      .map(([name, value]) => `  add_header ${name} ${quoted(value)} always;\n`)
      .join("");
  const locations = parts.map(({ path, below, headers }) => {
    // For a folder nginx uses the location of its index file.
    const file = decodeURIComponent(!below && path.endsWith("/") ? `${path}index.html` : path);
    return `location ${below ? "^~" : "="} ${quoted(file)} {\n${linesOf({ ...common, ...headers })}}\n`;
  });
  return `# Headers of the site: include this file in its server block. Each render writes it (docs/hosts.md).\n
${linesOf(common)}\n${locations.join("\n")}`;
}
