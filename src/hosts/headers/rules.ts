/**
 * The headers of a finished site, in no host's form yet.
 *
 * Some hosts join the values that several rules give one header, others take the last: so a policy and a cache rule stand
 * once for each part of the site, and the rule for everything says nothing that a part could want otherwise.
 */
import type { HostLimits } from "../../contract/host.ts";
import { headerValue, widest } from "./policy.ts";
import { partsOf, type Part } from "./sample.ts";

export interface HeaderRule {
  /** From the host's root: a path, or all below a folder where `below` is set. Percent-encoded. */
  readonly path: string;
  readonly below: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Files whose name changes with their content. */
const HASHED = new Set(["_astro", "_cards", "_pictures", "letters"]);
/** The pages that other sites may frame. */
const EMBEDDED = "embed";
const FOR_EVER = "public, max-age=31536000, immutable";
const ASK_FIRST = "public, max-age=0, must-revalidate";

/** Features that no page uses. The clipboard and sharing are not in the list: cards use them. */
const DENIED = [
  "accelerometer",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "usb",
];

/** What every answer carries, the one for a page that is not there too. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  // Browsers leave this aside where a page's policy says who may frame it (CSP 3, section 6.4.2.2). A policy here would
  // bind the pages to embed too, on hosts that join headers.
  "X-Frame-Options": "DENY",
  // The default of browsers, said aloud: votes need the origin that a stricter one would take from them.
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Permissions-Policy": DENIED.map((feature) => `${feature}=()`).join(", "),
};

/** Characters of a header's line besides its value. */
const LINE = "  Content-Security-Policy: ".length;

/**
 * @param base with slashes at both ends
 * @throws {DiskError} when the folder cannot be read
 */
export function headerRules(
  outDir: string,
  base: string,
  { headerRules: most, headerLine }: Pick<HostLimits, "headerRules" | "headerLine">,
): HeaderRule[] {
  const everything: HeaderRule = { path: base, below: true, headers: EVERYWHERE };
  const longest = (headerLine ?? Infinity) - LINE;
  const parts = partsOf(outDir).flatMap((part) => ruleOf(part, base, longest));
  // Policies first: where a host takes few rules, those of caches are what can be done without.
  parts.sort((a, b) => Number(hasPolicy(b)) - Number(hasPolicy(a)));
  return [everything, ...parts].slice(0, most ?? Infinity);
}

const hasPolicy = ({ headers }: HeaderRule): boolean => "Content-Security-Policy" in headers;

function ruleOf({ name, isFolder, policies }: Part, base: string, longest: number): HeaderRule[] {
  const path = isFolder ? `${base}${encodeURIComponent(name)}/` : pagePath(base, name);
  if (HASHED.has(name)) {
    return [{ path, below: isFolder, headers: { "Cache-Control": FOR_EVER } }];
  }
  // Feeds, sitemaps, `build.json`, the search index: what has no policy is still asked for again.
  if (policies.length === 0) {
    return [{ path, below: isFolder, headers: { "Cache-Control": ASK_FIRST } }];
  }
  const policy = headerValue(widest(policies), longest, name === EMBEDDED ? "*" : "'none'");
  const headers = { "Cache-Control": ASK_FIRST, "Content-Security-Policy": policy };
  return [{ path, below: isFolder, headers }];
}

function pagePath(base: string, name: string): string {
  return name === "index.html" ? base : `${base}${encodeURIComponent(name)}`;
}
