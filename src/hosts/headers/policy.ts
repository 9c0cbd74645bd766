/**
 * The content security policy of a page, read from its `<meta>`, and the one that several pages have in common.
 *
 * A policy in a header binds a page besides its own: the header's may be as wide as the widest of its pages and no
 * narrower, and each page's own still holds.
 */

/** Sources by directive. */
export type Policy = ReadonlyMap<string, ReadonlySet<string>>;

const META = /<meta http-equiv="content-security-policy" content="([^"]*)"/i;

/** A directive and its sources, as they stand in a header: nothing that could end the header or the directive. */
const SAFE = /^[\x21\x23-\x2B\x2D-\x3A\x3C-\x7E]+$/;

/** A page that only leads on to another runs nothing, and its policy says nothing of the others. */
const LEADS_ON = '<meta http-equiv="refresh"';

/** @returns null where the page has none, leads on to another, or has one that no header can carry */
export function policyOf(html: string): Policy | null {
  const content = META.exec(html)?.[1];
  if (content === undefined || html.includes(LEADS_ON)) return null;
  const policy = new Map<string, Set<string>>();
  for (const directive of content.split(";")) {
    const [name, ...sources] = directive.trim().split(/\s+/);
    if (name === undefined || name === "" || policy.has(name)) continue;
    if (![name, ...sources].every((word) => SAFE.test(word))) return null;
    policy.set(name, new Set(sources));
  }
  return policy;
}

/** What any of the pages allows; a directive that one of them lacks is left out, for that page has no such bound. */
export function widest(policies: readonly Policy[]): Policy {
  const [first = new Map<string, Set<string>>(), ...others] = policies;
  const common = new Map<string, Set<string>>();
  for (const [name, sources] of first) {
    const all = new Set(sources);
    const everywhere = others.every((other) => other.has(name));
    if (!everywhere) continue;
    for (const other of others) for (const source of other.get(name) ?? []) all.add(source);
    // 'none' is valid only alone.
    if (all.size > 1) all.delete("'none'");
    common.set(name, all);
  }
  return common;
}

/** What a `<meta>` cannot say: who may frame the page. */
const framedBy = (source: string): Policy => new Map([["frame-ancestors", new Set([source])]]);

/** Directives that grow with the scripts and sheets of the pages; `default-src` would stand in for them. */
const LONG = ["script-src", "style-src", "default-src"];

/**
 * The value of a header: the policy, and who may frame the page.
 *
 * @param most characters; where it would be longer, scripts and sheets are left to the pages' own policy
 * @param framedFrom a source of CSP; by default no page may frame this one
 */
export function headerValue(policy: Policy, most: number, framedFrom = "'none'"): string {
  const whole = written(new Map([...policy, ...framedBy(framedFrom)]));
  if (whole.length <= most) return whole;
  const short = [...policy].filter(([name]) => !LONG.includes(name));
  return written(new Map([...short, ...framedBy(framedFrom)]));
}

function written(policy: Policy): string {
  return [...policy].map(([name, sources]) => [name, ...sources].join(" ")).join("; ");
}
