/**
 * Shortens the policy (CSP) of a page. Astro names in every page the digests of what is inline on any: of some twenty a page needs
 * three, and a digest does not compress.
 */
import { hash } from "node:crypto";
import type { AstroConfig } from "astro";
import { getOrCompute } from "../util/get-or-compute.ts";
import type { Piece } from "./astro/index.ts";

const POLICY = '<meta http-equiv="content-security-policy" content="';

const DIGEST = / '((sha256|sha384|sha512)-[^']*)'/g;

const NAMES = ["script", "style"] as const;

/** The attributes of an element, and the end of its start tag. */
const ATTRIBUTES = /(?:"[^"]*"|'[^']*'|[^"'>])*>/y;

/** A file, or data: neither needs a digest. */
const NEEDS_NONE = /\ssrc\s*=|\stype="application\/(?:ld\+)?json"/i;

/** Sites have few policies and few inline scripts, each on many pages. */
const MOST_KEPT = 2_000;

/** The digests that the configuration names: something that a script adds to the page may need them. Null where pages have no policy. */
export function namedDigests({
  security: { csp },
}: Pick<AstroConfig, "security">): string[] | null {
  if (typeof csp !== "object") return csp ? [] : null;
  return [csp.scriptDirective, csp.styleDirective].flatMap((one) =>
    (one?.hashes ?? []).map(String),
  );
}

/** @returns what leaves in the policy of a page the digests of what is inline on it, and those of `named` */
export function policyTrimmer(named: readonly string[]) {
  const known = new Map<string, string>();
  return (pieces: readonly Piece[]): readonly Piece[] => {
    const at = pieces.findIndex((piece) => has(piece, POLICY));
    const first = pieces[at];
    if (first === undefined) return pieces;
    const head = textOf(first);
    const from = head.indexOf(POLICY) + POLICY.length;
    const end = head.indexOf('"', from);
    const policy = head.slice(from, end);
    const contents = inlineContents(pieces);
    if (known.size > MOST_KEPT) known.clear();
    const key = [policy, ...contents].join("\0");
    const trimmed = getOrCompute(known, key, () => trim(policy, contents, named));
    return pieces.with(at, head.slice(0, from) + trimmed + head.slice(end));
  };
}

const trim = (policy: string, contents: readonly string[], named: readonly string[]): string =>
  policy.replace(DIGEST, (source, digest: string, algorithm: string) => {
    const isUsed = contents.some(
      (text) => digest === `${algorithm}-${hash(algorithm, text, "base64")}`,
    );
    return isUsed || named.includes(digest) ? source : "";
  });

function inlineContents(pieces: readonly Piece[]): string[] {
  // Memoised components, which are bytes, hardly ever have anything inline.
  const html = pieces
    .filter((piece) => typeof piece === "string" || NAMES.some((name) => has(piece, `<${name}`)))
    .map(textOf)
    .join("");
  const contents: string[] = [];
  for (const name of NAMES) {
    const start = `<${name}`;
    // A start in an attribute or a comment is taken for one, too: a digest too many stays.
    for (let at = html.indexOf(start); at !== -1; at = html.indexOf(start, at + 1)) {
      ATTRIBUTES.lastIndex = at + start.length;
      const attributes = ATTRIBUTES.exec(html)?.[0];
      if (attributes === undefined || NEEDS_NONE.test(attributes)) continue;
      const from = at + start.length + attributes.length;
      const end = html.indexOf(`</${name}`, from);
      contents.push(html.slice(from, end === -1 ? undefined : end));
    }
  }
  return contents;
}

const bytesOf = (piece: Uint8Array): Buffer =>
  Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);

const has = (piece: Piece, text: string): boolean =>
  (typeof piece === "string" ? piece : bytesOf(piece)).includes(text);

const textOf = (piece: Piece): string =>
  typeof piece === "string" ? piece : bytesOf(piece).toString();
