/**
 * Reads the Content-Security-Policy of a page as a browser does: what it lets a page load and run, and what of the page it
 * keeps from running (https://www.w3.org/TR/CSP3/).
 */
import { hash } from "node:crypto";
import { allowedIn, type Allow } from "../../contract/allow.ts";

/** A script or style in the markup of a page. */
export interface Inline {
  readonly name: "script" | "style";
  /** The type of a script: `speculationrules` and the like have another rule than code. */
  readonly type: string;
  readonly content: string;
}

export interface PolicyFacts {
  /** Contents of the `<meta>` elements in the head, in order: each applies. */
  readonly policies: readonly string[];
  readonly inline: readonly Inline[];
  /** Attributes such as `onclick`, each with its element. */
  readonly handlers: ReadonlySet<string>;
  /** Whether scripts and sheets are loaded from files. */
  readonly hasScripts: boolean;
  readonly hasSheets: boolean;
  /** What the page needs from elsewhere: a directive, and an origin that it must let in. */
  readonly needs: readonly (readonly [directive: string, origin: string])[];
}

/** Where a directive that is absent looks next; one that is not listed has no substitute. */
const FALLBACK: Readonly<Record<string, string>> = {
  "script-src": "default-src",
  "script-src-elem": "script-src",
  "script-src-attr": "script-src",
  "style-src": "default-src",
  "style-src-elem": "style-src",
  "style-src-attr": "style-src",
  "child-src": "default-src",
  "frame-src": "child-src",
  "worker-src": "child-src",
  "connect-src": "default-src",
  "font-src": "default-src",
  "img-src": "default-src",
  "manifest-src": "default-src",
  "media-src": "default-src",
  "object-src": "default-src",
};

const CHECKED = [...Object.keys(FALLBACK), "default-src", "base-uri", "form-action"];

/** Directives of code: besides files of the site they may name digests. */
const CODE = /^(?:script|style)-src/;

/** Bytes that are in the page itself, and run nothing. */
const HARMLESS_SCHEME = /^(?:data|blob):$/;
const TAKES_DATA = /^(?:img|font|media)-src$/;

const DIGEST = /^'(sha256|sha384|sha512)-([\w+/-]+=*)'$/i;

/** Types of scripts that a browser runs or obeys; others are data. */
const RUNS =
  /^[\t\n\f\r ]*(?:|module|importmap|speculationrules|(?:text|application)\/(?:x-)?(?:java|ecma|live|j)script(?:1\.[0-5])?)[\t\n\f\r ]*$/i;

interface Policy {
  /** What it lets in from elsewhere, or lets run that no digest names. */
  readonly loose: ReadonlyMap<string, string>;
  readonly sources: ReadonlyMap<string, readonly string[]>;
}

/** Sites have few policies and few inline scripts, each on many pages. */
const MOST_KEPT = 2_000;

/** Origins that the policy of a site may name. */
export interface PolicyOrigins {
  /** The site's own: for every kind of file. */
  readonly origin: string;
  /** Those that take votes: for requests of scripts and forms. */
  readonly votes: readonly string[];
  /** Those that the site names, each for its kind of files. */
  readonly allow: Allow;
}

/**
 * @returns a function that says what is wrong with the policy of a page; an empty list for nothing
 */
export function policyRules(allowed: PolicyOrigins) {
  const parsed = new Map<string, Policy>();
  const digests = new Map<string, readonly string[]>();

  return ({ policies, inline, handlers, hasScripts, hasSheets, needs }: PolicyFacts): string[] => {
    const all = policies.map((text) => keep(parsed, text, () => read(text, allowed)));
    const faults: string[] = [];
    for (const directive of CHECKED) {
      // What one policy forbids, no other can allow.
      const loose = all.map((policy) => policy.loose.get(directive));
      const [first] = loose;
      if (first !== undefined && !loose.includes(undefined)) faults.push(first);
    }
    for (const handler of handlers) faults.push(`it lets no handler run: ${handler}`);
    for (const { sources } of all) {
      if (hasScripts && !takesFiles("script-src-elem", sources, allowed))
        faults.push("its scripts do not run: script-src lacks 'self'");
      if (hasSheets && !takesFiles("style-src-elem", sources, allowed))
        faults.push("its sheets do not apply: style-src lacks 'self'");
      for (const [directive, origin] of needs) {
        if (!takesOrigin(directive, origin, sources))
          faults.push(`it keeps the page from ${origin}: ${directive} lacks it`);
      }
      for (const { name, type, content } of inline) {
        if (name === "script" && !RUNS.test(type)) continue;
        const known = keep(digests, content, () => digestsOf(content));
        const there = sourcesOf(`${name}-src-elem`, sources) ?? [];
        const isNamed =
          there.some((source) => known.includes(plainDigest(source))) ||
          (type === "speculationrules" && there.includes("'inline-speculation-rules'"));
        if (!isNamed)
          faults.push(
            `it has no digest of the <${name}> that begins ${JSON.stringify(content.trim().slice(0, 40))}`,
          );
      }
    }
    return [...new Set(faults)];
  };
}

function keep<Value>(kept: Map<string, Value>, key: string, make: () => Value): Value {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  if (kept.size < MOST_KEPT) kept.set(key, made);
  return made;
}

function read(text: string, allowed: PolicyOrigins): Policy {
  const sources = new Map<string, readonly string[]>();
  for (const directive of text.split(";")) {
    // Other white space is part of a name, which no browser knows then.
    const [name = "", ...values] = directive.split(/[\t\n\f\r ]+/).filter((word) => word !== "");
    // The first of two is in force.
    if (name !== "" && !sources.has(name.toLowerCase())) sources.set(name.toLowerCase(), values);
  }
  const loose = new Map<string, string>();
  for (const directive of CHECKED) {
    const values = sourcesOf(directive, sources);
    if (values === undefined) loose.set(directive, `nothing limits ${directive}`);
    // Where it has no values of its own, the fault is named once, where they are.
    if (values === undefined || !sources.has(directive)) continue;
    const bad = values.find((source) => !isAllowed(directive, source, allowed));
    if (bad !== undefined) loose.set(directive, `${directive} has ${JSON.stringify(bad)}`);
  }
  return { loose, sources };
}

/** The values in force for a directive; undefined where nothing limits it. */
function sourcesOf(
  directive: string,
  sources: ReadonlyMap<string, readonly string[]>,
): readonly string[] | undefined {
  const own = sources.get(directive);
  const next = FALLBACK[directive];
  return own ?? (next === undefined ? undefined : sourcesOf(next, sources));
}

function isAllowed(directive: string, source: string, allowed: PolicyOrigins): boolean {
  const word = source.toLowerCase();
  if (word === "'none'" || word === "'self'" || word === "'report-sample'") return true;
  if (CODE.test(directive)) {
    if (DIGEST.test(source)) return true;
    // WebAssembly runs only what a script of the site loads.
    if (word === "'wasm-unsafe-eval'" || word === "'inline-speculation-rules'") return true;
  }
  if (HARMLESS_SCHEME.test(word)) return TAKES_DATA.test(directive);
  return isOfSite(directive, source, allowed);
}

/** Where votes may go to. */
const VOTES = /^(?:connect-src|form-action)$/;

function isOfSite(
  directive: string,
  source: string,
  { origin, votes, allow }: PolicyOrigins,
): boolean {
  if (!/^https?:\/\/[^*]+$/i.test(source)) return false;
  const named = URL.parse(source)?.origin ?? "";
  if (named === origin || allowedIn(directive, allow).includes(named)) return true;
  return VOTES.test(directive) && votes.includes(named);
}

/** A source with a path lets in that path alone. */
const isWholeSite = (source: string, { origin }: PolicyOrigins): boolean =>
  [origin, `${origin}/`].includes(source.toLowerCase());

function takesFiles(
  directive: string,
  sources: ReadonlyMap<string, readonly string[]>,
  allowed: PolicyOrigins,
): boolean {
  const there = sourcesOf(directive, sources) ?? [];
  return there.some((source) => source.toLowerCase() === "'self'" || isWholeSite(source, allowed));
}

/** Where nothing limits the directive, another fault says so. */
function takesOrigin(
  directive: string,
  origin: string,
  sources: ReadonlyMap<string, readonly string[]>,
): boolean {
  const there = sourcesOf(directive, sources);
  return there?.some((source) => URL.parse(source)?.origin === origin) ?? true;
}

/** Both alphabets of Base64 name the same digest. */
function plainDigest(source: string): string {
  const [, algorithm = "", value = ""] = DIGEST.exec(source) ?? [];
  return `${algorithm.toLowerCase()}-${value.replaceAll("-", "+").replaceAll("_", "/")}`;
}

function digestsOf(content: string): readonly string[] {
  // As a parser of HTML hands it over.
  const text = content.replace(/\r\n?/g, "\n");
  return ["sha256", "sha384", "sha512"].map((name) => `${name}-${hash(name, text, "base64")}`);
}
