/**
 * The step between rendering and the audit: what moved is noted, and the host is told of headers and redirects in its own
 * form.
 *
 * Nothing of it is in the render stage's ledger: that one knows pages and assets, and leaves every other file alone.
 */
import { join } from "node:path";
import { atomicWrite } from "../files/atomic-write.ts";
import { headersFile, nginxSnippet, vercelHeaders } from "./headers/formats.ts";
import { headerRules, type HeaderRule } from "./headers/rules.ts";
import { tell } from "./files.ts";
import { MARK_BYTES, marked } from "./mark.ts";
import { encoded, redirectsFile, vercelRedirects, type EncodedRedirect } from "./moved/formats.ts";
import { AddressHistory } from "./moved/history.ts";
import { leadingPage, type LeadingPageWords } from "./moved/leading-page.ts";
import { resolveMoves } from "./moved/resolve.ts";
import type { Site } from "./moved/site.ts";
import type { HostPreset } from "./presets.ts";

export interface HostOptions {
  readonly preset: HostPreset;
  readonly outDir: string;
  readonly stateDir: string;
  /** Scheme and host of the finished site, without a slash at the end. */
  readonly origin: string;
  /** With slashes at both ends. */
  readonly base: string;
  readonly site: Site;
  readonly words: LeadingPageWords;
  /** Whether `public/` has a file of this name, which then stands. */
  readonly isPublic: (name: string) => boolean;
  /** Files of the site so far: pages that lead on fill what the host has left. */
  readonly files: number;
}

export interface HostReport {
  readonly headerRules: number;
  readonly redirects: number;
  /** Files that were written or removed; the others are as the last build left them. */
  readonly changed: number;
  /** Names that a file in `public/` has taken: it stands. */
  readonly refused: readonly string[];
}

/** Pages that lead on: each is a file, and few people come by an old address. */
const MOST_LEADING_PAGES = 5_000;

/** In the state folder: nobody but the operator needs it. */
const NGINX_FILE = "nginx.conf";

/** @throws {DiskError} when the site cannot be read, or a file not be written */
export function tellHost(options: HostOptions): HostReport {
  const { preset, outDir, stateDir, base, site } = options;
  const rules = preset.headers === null ? [] : headerRules(outDir, base, preset.limits);
  const history = new AddressHistory(stateDir);
  try {
    history.note(site);
    const wanted = new Map<string, string>();
    const redirects = writeRedirects(redirectsOf(history, site, base), options, wanted);
    writeHeaders(rules, options, wanted);
    if (preset.headers === "vercel.json" || preset.redirects === "vercel.json") {
      wanted.set("vercel.json", vercelFile(rules, redirects.vercel));
    }
    const before = history.written();
    const { files, changed, refused } = tell({
      outDir,
      wanted,
      before,
      isPublic: options.isPublic,
    });
    history.setWritten(files);
    return { headerRules: rules.length, redirects: redirects.count, changed, refused };
  } finally {
    history.close();
  }
}

function* redirectsOf(
  history: AddressHistory,
  site: Site,
  base: string,
): Generator<EncodedRedirect> {
  for (const redirect of resolveMoves(history.moves(), site)) {
    const ends = encoded(redirect, base);
    if (ends !== null) yield ends;
  }
}

interface WrittenRedirects {
  readonly count: number;
  readonly vercel: ReturnType<typeof vercelRedirects>;
}

function writeRedirects(
  redirects: Iterable<EncodedRedirect>,
  { preset, base, origin, words, files }: HostOptions,
  wanted: Map<string, string>,
): WrittenRedirects {
  const { limits } = preset;
  if (preset.redirects === "vercel.json") {
    const vercel = vercelRedirects(redirects, limits);
    return { count: vercel.length, vercel };
  }
  if (preset.redirects === "_redirects") {
    const redirectBytes = limits.redirectBytes === null ? null : limits.redirectBytes - MARK_BYTES;
    const { text, rules } = redirectsFile(redirects, { ...limits, redirectBytes });
    if (rules > 0) wanted.set("_redirects", marked(text));
    return { count: rules, vercel: [] };
  }
  const room = Math.min(MOST_LEADING_PAGES, (limits.files ?? Infinity) - files);
  let count = 0;
  for (const { from, to } of redirects) {
    // A feed is no page, and no reader of feeds follows one.
    if (!from.endsWith("/")) continue;
    if (count >= room) break;
    wanted.set(`${decodeURI(from.slice(base.length))}index.html`, leadingPage(to, origin, words));
    count++;
  }
  return { count, vercel: [] };
}

function writeHeaders(
  rules: readonly HeaderRule[],
  { preset, stateDir }: HostOptions,
  wanted: Map<string, string>,
): void {
  if (preset.headers === "_headers") wanted.set("_headers", marked(headersFile(rules)));
  if (preset.headers === "nginx") atomicWrite(join(stateDir, NGINX_FILE), nginxSnippet(rules));
}

function vercelFile(
  rules: readonly HeaderRule[],
  redirects: ReturnType<typeof vercelRedirects>,
): string {
  const headers = vercelHeaders(rules);
  const $schema = "https://openapi.vercel.sh/vercel.json";
  return `${JSON.stringify({ $schema, trailingSlash: true, redirects, headers }, null, 2)}\n`;
}

/** Names of the pages that lead on, below the output folder: what an audit must know of. */
export function leadingPages(stateDir: string): string[] {
  const history = new AddressHistory(stateDir);
  try {
    return [...history.written().keys()].filter((name) => name.endsWith(".html"));
  } finally {
    history.close();
  }
}
