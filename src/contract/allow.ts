/**
 * What pages may load from elsewhere: origins by kind, which `allow` in `site/config.ts` names.
 *
 * The policy of the pages, the audit and the page about the site read this table. The headers of hosts limit framing alone.
 */
export const ALLOW_KINDS = ["script", "connect", "frame", "img", "style", "font"] as const;

export type AllowKind = (typeof ALLOW_KINDS)[number];

/** Origins such as `https://stats.example`, by kind; `connect` is for requests of scripts, and for forms. */
export type Allow = Readonly<Record<AllowKind, readonly string[]>>;

export const ALLOW_NOTHING: Allow = {
  script: [],
  connect: [],
  frame: [],
  img: [],
  style: [],
  font: [],
};

/** The kind of each directive of a policy that may name origins. */
const KIND_OF: Readonly<Record<string, AllowKind>> = {
  "script-src": "script",
  "script-src-elem": "script",
  "connect-src": "connect",
  "form-action": "connect",
  "child-src": "frame",
  "frame-src": "frame",
  "img-src": "img",
  "style-src": "style",
  "style-src-elem": "style",
  "font-src": "font",
};

/** The origins that a directive may name. */
export function allowedIn(directive: string, allow: Allow): readonly string[] {
  const kind = KIND_OF[directive];
  return kind === undefined ? [] : allow[kind];
}

/** All origins, each once, in order. */
export function allowedOrigins(allow: Allow): string[] {
  return [...new Set(ALLOW_KINDS.flatMap((kind) => allow[kind]))].sort();
}
