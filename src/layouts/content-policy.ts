/**
 * The content security policy of every page: files of the site, what `allow` in `site/config.ts` names, and nothing inline but
 * what is named by its digest.
 */
import { hash } from "node:crypto";
import type { Allow } from "../contract/allow.ts";
import { HEAD_SCRIPT, SPECULATION_RULES } from "./inline-scripts.ts";

type Digest = `sha256-${string}`;

export const digestOf = (text: string): Digest => `sha256-${hash("sha256", text, "base64")}`;

/** What a site adds to its pages. */
interface Additions {
  readonly allow: Allow;
  /** Tags of the head. */
  readonly head: readonly { readonly tag: string; readonly content: string }[];
}

/**
 * @param voteBaseUrl where votes go; null for nowhere
 * @returns `security.csp` of Astro's configuration
 */
export function contentPolicy({ allow, head }: Additions, voteBaseUrl: string | null) {
  const votes = voteBaseUrl === null ? [] : [new URL(voteBaseUrl).origin];
  const list = (...origins: readonly string[]): string => ["'self'", ...origins].join(" ");
  const asks = list(...votes, ...allow.connect);
  // Astro leaves 'self' out where it is given other sources.
  const resources = (origins: readonly string[]) =>
    origins.length === 0 ? {} : { resources: ["'self'", ...origins] };
  const digests = (tag: "script" | "style"): Digest[] =>
    head
      .filter((one) => one.tag === tag && one.content !== "")
      .map(({ content }) => digestOf(content));
  return {
    algorithm: "SHA-256" as const,
    directives: [
      "default-src 'none'" as const,
      `img-src ${list(...allow.img)}` as const,
      `font-src ${list(...allow.font)}` as const,
      `connect-src ${asks}` as const,
      ...(allow.frame.length === 0 ? [] : [`frame-src ${allow.frame.join(" ")}` as const]),
      "manifest-src 'self'" as const,
      "base-uri 'none'" as const,
      `form-action ${asks}` as const,
    ],
    scriptDirective: {
      ...resources(allow.script),
      hashes: [...[HEAD_SCRIPT, SPECULATION_RULES].map(digestOf), ...digests("script")],
    },
    styleDirective: { ...resources(allow.style), hashes: digests("style") },
  };
}
