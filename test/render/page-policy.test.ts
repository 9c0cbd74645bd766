/** The policy of a page names the digests of what is inline on it, and those that the configuration names. */
import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { namedDigests, policyTrimmer } from "../../src/render/page-policy.ts";

const digest = (text: string, name = "sha256"): string => `${name}-${hash(name, text, "base64")}`;

const page = (digests: readonly string[], rest: string): string => {
  const sources = digests.map((one) => ` '${one}'`).join("");
  return `<head><meta http-equiv="content-security-policy" content="img-src 'self'; script-src 'self'${sources}; style-src 'self';">${rest}`;
};

const named = (pieces: readonly (string | Uint8Array)[]): string[] =>
  [...pieces.join("").matchAll(/'(sha[^']*)'/g)].map(([, source = ""]) => source);

const namesIn = (config: object): readonly string[] | null =>
  namedDigests(config as unknown as Parameters<typeof namedDigests>[0]);

const trimmed = (rest: string, digests: readonly string[], kept: readonly string[] = []) =>
  named(policyTrimmer(kept)([page(digests, rest)]));

test.for<readonly [string, string, string]>([
  ["a script", "<script>a</script>", "a"],
  ["a style with attributes", `<style media="(width > 9em)">a</style>`, "a"],
  ["speculation rules", `<script type="speculationrules">{}</script>`, "{}"],
  ["an element after a comment that begins one", "<!-- <style> --><style>a</style>", "a"],
  ["an element after an attribute that begins one", `<p title="<script>"><script>a</script>`, "a"],
  ["an empty style", "<style></style>", ""],
])("a policy keeps the digest of %s, and loses others", ([, markup, content], { expect }) => {
  for (const name of ["sha256", "sha384", "sha512"]) {
    const own = digest(content, name);
    expect(trimmed(markup, [digest("b"), own, digest("c", name)])).toEqual([own]);
  }
});

test("files and data have no digest, and what the configuration names stays", () => {
  const markup = `<script src="a.js"></script><script type="application/json">{}</script>`;
  const digests = [digest(""), digest("{}"), digest("later")];
  expect(trimmed(markup, digests)).toEqual([]);
  const security = { csp: { scriptDirective: { hashes: [digest("later")] } } };
  const kept = namesIn({ security }) ?? [];
  expect(trimmed(markup, digests, kept)).toEqual([digest("later")]);
});

test("pieces of a page are read together, memoised components too, and only the policy changes", () => {
  const [script, style] = [digest("one two"), digest("three")];
  const rest = [
    "<script>one ",
    "two</script>",
    Buffer.from("<i>é</i><style>three</style>"),
    "<p>é",
  ];
  const trim = policyTrimmer([]);
  const result = trim([page([script, digest("b"), style], ""), ...rest]);
  expect(named(result.slice(0, 1))).toEqual([script, style]);
  expect(result).toEqual([page([script, style], ""), ...rest]);
  // The second time it is known.
  expect(trim([page([script, digest("b"), style], ""), ...rest])).toEqual(result);
  expect(named(trim([page([script, digest("b"), style], "")]))).toEqual([]);
  expect(trim(rest)).toBe(rest);
  // As Astro hands over a page.
  const whole = Buffer.from(page([script, digest("b")], "<script>one two</script>é"));
  expect(trim([whole]).join("")).toBe(page([script], "<script>one two</script>é"));
});

test("pages without a policy are not searched for one", () => {
  expect(namesIn({ security: { csp: false } })).toBeNull();
  expect(namesIn({ security: {} })).toBeNull();
  expect(namesIn({ security: { csp: true } })).toEqual([]);
});
