/** Audits one page: its document, attribution, weight, quotes, requests and links. */
import { isUtf8 } from "node:buffer";
import { allowedOrigins } from "../../contract/allow.ts";
import { hash } from "node:crypto";
import { STYLED } from "../files/weights.ts";
import type { Finding, Report } from "../finding.ts";
import { readPage } from "./facts.ts";
import { policyRules } from "./policy.ts";
import { isElsewhere, linkFault, targetOf } from "./links.ts";
import { OWN_KIND, type Budget, type ForeignFragment, type PageRules } from "./rules.ts";
import type { PageToAudit, FileAudit } from "./rules.ts";

/** Bytes at the start of a document in which browsers look for its encoding. */
const CHARSET_WITHIN = 1_024;

/** The rules of a site are one object for all of its pages. */
const policyReaders = new WeakMap<PageRules, ReturnType<typeof policyRules>>();

const originsOf = ({ origin, mayAsk, service, allow }: PageRules) => ({
  origin,
  allow,
  votes: service === null ? mayAsk : [...mayAsk, service],
});

const digestOf = (text: string): string => hash("sha256", text, "base64url").slice(0, 12);

const HTML = "HTML without the quotes' words";

export function auditPage(bytes: Buffer, page: PageToAudit, rules: PageRules): FileAudit {
  const findings: Finding[] = [];
  const report: Report = (kind, detail) => {
    findings.push({ kind, page: page.path, detail });
  };
  const html = bytes.toString("utf8");
  const facts = readPage(html);
  const isOfFork = page.kind === OWN_KIND;
  for (const id of facts.repeatedIds) report("id twice", `"${id}"`);
  checkDocument();
  if (!page.unlisted) {
    if (facts.robots !== "")
      report("hidden from search", `its robots directive is "${facts.robots}"`);
    const { canonical } = facts;
    const target = targetOf(canonical, page.path, rules);
    // A page of a fork may name any page of the site.
    const wanted = page.canonical ?? page.file;
    const isOwn = target.kind === "inside" && (isOfFork || target.file === wanted);
    if (!isOwn) report("hidden from search", `its canonical address is another: ${canonical}`);
  }
  checkPolicy();
  if (rules.attribution !== null) checkAttribution(rules.attribution);
  if (page.budget !== null) checkWeight(page.budget);
  checkStyles();
  checkQuotes(page.quotes);
  const mayAsk = [...rules.mayAsk, ...allowedOrigins(rules.allow)];
  for (const address of facts.fetched) {
    if (isElsewhere(address, rules, mayAsk)) report("request elsewhere", address);
  }
  const isNamed =
    !page.unlisted &&
    page.canonical === undefined &&
    facts.robots === "" &&
    facts.description !== "";
  const named = [digestOf(facts.title ?? ""), digestOf(facts.description)] as const;
  return { findings, fragments: checkLinks(), named: isNamed ? named : undefined };

  /** Structure, language, encoding, title, alternative texts and ids. */
  function checkDocument(): void {
    const reportFault = (fault: string): void => report("invalid HTML", fault);
    if (facts.fault !== null) reportFault(facts.fault);
    if (!/^\uFEFF?<!doctype html>/i.test(html))
      reportFault("it does not begin with <!DOCTYPE html>");
    if (facts.lang === "") reportFault("<html> has no lang");
    if (facts.charsetAt > CHARSET_WITHIN)
      reportFault(`no <meta charset="utf-8"> within the first ${CHARSET_WITHIN} bytes`);
    if (!facts.title) reportFault("it has no title");
    for (const [name, count] of facts.counts) {
      if (count !== 1) reportFault(`it has ${count} <${name}>`);
    }
    if (facts.altMissing) reportFault("an <img> has no alt");
    if (!isUtf8(bytes)) reportFault("it is not UTF-8");
    if (html.includes("\0")) reportFault("it holds a NUL");
    for (const id of new Set([...facts.namedIds].flatMap((value) => value.split(/\s+/)))) {
      if (id !== "" && !facts.ids.has(id))
        reportFault(`an attribute names "${id}", and nothing has that id`);
    }
  }

  function checkPolicy(): void {
    // Astro writes no policy into the HTML of an endpoint.
    if (facts.policies.length === 0) return isOfFork ? undefined : report("policy", "it has none");
    const faultsOf = policyReaders.get(rules) ?? policyRules(originsOf(rules));
    policyReaders.set(rules, faultsOf);
    const { sheets, scripts } = facts;
    const files = { hasScripts: scripts.size > 0, hasSheets: sheets.size > 0, needs: needs() };
    for (const fault of faultsOf({ ...facts, ...files })) report("policy", fault);
  }

  /** What is not allowed at all has a finding of its own, but for forms, which send nothing by themselves. */
  function needs(): (readonly [string, string])[] {
    const allowed = allowedOrigins(rules.allow);
    return [...facts.asked]
      .map((asked) => asked.split(" ", 2))
      .filter(([, address = ""]) => isElsewhere(address, rules))
      .map(([directive = "", address = ""]) => {
        return [directive, URL.parse(address, rules.origin)?.origin ?? address] as const;
      })
      .filter(([directive, origin]) => directive === "form-action" || allowed.includes(origin));
  }

  /** The attribution is one visible `<a data-attribution href="…">` with text, in the footer of the page itself. */
  function checkAttribution(href: string): void {
    const { attributions } = facts;
    const [attribution] = attributions;
    const faults = new Set<string>();
    if (attributions.length !== 1) faults.add(`there are ${attributions.length}`);
    else if (attribution?.href !== href) faults.add(`it does not lead to ${href}`);
    for (const { isInFooter, isHidden, isEmpty } of attributions) {
      if (!isInFooter) faults.add("it is not in the page's footer");
      if (isHidden) faults.add("it is hidden");
      if (isEmpty) faults.add("it has no text");
    }
    for (const fault of faults) report("attribution", fault);
  }

  /**
   * Compares the markup, style sheets, scripts and fonts of a page with its budget.
   *
   * The words of quotes do not count. A page that is too heavy only because of names of tags and authors is a warning: the
   * service decides how many there are.
   */
  function checkWeight(budget: Budget): void {
    const { font, facesOf, sheet, script } = rules.weights;
    const sum = (links: ReadonlySet<string>, weigh: (file: string) => number): number =>
      links
        .values()
        .map((link) => targetOf(link, page.path, rules))
        .reduce((total, to) => total + (to.kind === "inside" ? weigh(to.file) : 0), 0);
    const reportFault = (what: string, is: number, most: number): void => {
      if (is > most) report("too heavy", `${what}: ${is} bytes, and ${most} are allowed`);
    };
    const weight = bytes.length - facts.words;
    if (weight - facts.names > budget.html) reportFault(HTML, weight, budget.html);
    else if (weight > budget.html) {
      report("heavy with names", `${HTML}: ${weight} bytes, mostly tags and authors`);
    }
    reportFault("CSS, compressed", sum(facts.sheets, sheet), budget.css);
    reportFault("typefaces", sum(facts.fonts, font) + sum(facts.sheets, facesOf), budget.fonts);
    reportFault("JavaScript, compressed", sum(facts.scripts, script), budget.js);
  }

  /** A page of a layout of the project has the sheets of what it shows. */
  function checkStyles(): void {
    const styled = new Set<string>();
    for (const link of facts.sheets) {
      const to = targetOf(link, page.path, rules);
      if (to.kind === "inside") rules.weights.styles(to.file).forEach((name) => styled.add(name));
    }
    for (const name of STYLED) {
      if (styled.has(name) || !hasClass(name)) continue;
      report("style sheet missing", `none of its sheets styles the class ${name}`);
    }
  }

  function hasClass(name: string): boolean {
    return html.includes(name) && new RegExp(`\\bclass="(?:[^"]* )?${name}[ "]`).test(html);
  }

  /** Checks the markup of each quote, and compares the quotes that the page shows with the planned ones. */
  function checkQuotes(planned: readonly number[] | null): void {
    const { langs } = page;
    const isKnown = langs.length > 0 && !langs.includes("und");
    const is = new Set<number>();
    const shown: number[] = [];
    for (const { id, pk, lang, dir } of facts.quotes) {
      const own = /^q([1-9]\d{0,15})$/.exec(id)?.[1];
      if (own === undefined) {
        report("quote markup", `id "${id}" names no quote`);
        continue;
      }
      if (pk !== own) report("quote markup", `${id} has another data-pk`);
      if (lang === "") report("quote markup", `${id} has no lang`);
      else if (isKnown && !langs.includes(lang))
        report("quote markup", `${id} has the lang "${lang}" of no quote here`);
      if (dir !== "ltr" && dir !== "rtl") report("quote markup", `${id} has no dir`);
      if (is.has(Number(own))) report("quote twice", id);
      is.add(Number(own));
      shown.push(Number(own));
    }
    if (planned === null) return;
    const must = new Set(planned);
    for (const id of must.difference(is)) report("quote missing", `q${id}`);
    for (const id of is.difference(must)) report("quote not planned", `q${id}`);
    const at = shown.findIndex((id, index) => id !== planned[index]);
    if (at === -1 || shown.length !== planned.length || !is.isSubsetOf(must)) return;
    report("quote out of order", `q${shown[at] ?? 0} is in the place of q${planned[at] ?? 0}`);
  }

  function checkLinks(): ForeignFragment[] {
    const fragments: ForeignFragment[] = [];
    for (const link of facts.links) {
      const target = targetOf(link, page.path, rules);
      if (target.kind === "code") report("unsafe link", link);
      const fault = linkFault(link, target, rules.hasFile);
      if (fault !== null) report("broken link", fault);
      if (target.kind !== "inside" || fault !== null) continue;
      const { file, fragment } = target;
      if (fragment === "" || !file.endsWith(".html")) continue;
      if (file !== page.file) fragments.push(`${file}\0${fragment}`);
      else if (!facts.ids.has(fragment)) report("broken link", `${link} has no target on the page`);
    }
    return fragments;
  }
}
