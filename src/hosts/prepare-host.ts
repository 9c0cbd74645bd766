/**
 * The step between rendering and the audit: notes what moved, and writes headers and redirects in the host's own form.
 *
 * The manifest of the render stage has none of these files: it knows pages and assets alone.
 */
import { join } from "node:path";
import { atomicWrite } from "../files/disk.ts";
import type { SiteReader } from "../site/index.ts";
import { AddressHistory } from "./addresses.ts";
import { headerRules, headersFile, nginxSnippet, vercelHeaders } from "./headers.ts";
import {
  MARK_BYTES,
  marked,
  writeHostFiles,
  type HostFiles,
  type WriteOptions,
} from "./host-files.ts";
import type { HostPreset } from "./presets.ts";
import {
  acceptedOf,
  encoded,
  redirectPage,
  redirectsFile,
  vercelRedirects,
  type RedirectPageWords,
} from "./redirects.ts";

export interface HostOptions extends Pick<WriteOptions, "outDir" | "isPublic"> {
  readonly preset: HostPreset;
  readonly stateDir: string;
  /** Scheme and host of the finished site, without a slash at the end. */
  readonly origin: string;
  /** With slashes at both ends. */
  readonly base: string;
  readonly reader: SiteReader;
  readonly words: RedirectPageWords;
  /** Files of the site so far: redirect pages fill what the host has left. */
  readonly files: number;
}

export interface HostReport extends Pick<HostFiles, "changed" | "kept"> {
  readonly headerRules: number;
  readonly redirects: number;
}

/** Each is a file, and few readers use an old address. */
const MOST_REDIRECT_PAGES = 5_000;

/** @throws {DiskError} when the site cannot be read, or a file not be written */
export function prepareHost(options: HostOptions): HostReport {
  const { preset, outDir, stateDir, base, origin, words } = options;
  const { limits } = preset;
  const rules = preset.headers === null ? [] : headerRules(outDir, base, limits.headerRules);
  using history = new AddressHistory(stateDir);
  history.note(options);
  const hasPages = preset.redirects === "pages";
  const room = Math.min(MOST_REDIRECT_PAGES, (limits.files ?? Infinity) - options.files);
  const usable = history
    .redirects(options)
    .map((redirect) => encoded(redirect, base))
    .filter((ends) => ends !== null)
    // A redirect page in the place of a feed is no feed.
    .filter(({ from }) => !hasPages || from.endsWith("/"));
  const redirects = hasPages
    ? acceptedOf(usable, { redirects: room, redirectBytes: null })
    : acceptedOf(usable, limits, MARK_BYTES);
  const wanted = new Map<string, string>();
  if (hasPages) {
    for (const { from, to } of redirects)
      wanted.set(
        `${decodeURI(from.slice(base.length))}index.html`,
        redirectPage(to, origin, words),
      );
  }
  const isDecoded = preset.redirects === "decoded";
  if ((isDecoded || preset.redirects === "_redirects") && redirects.length > 0)
    wanted.set("_redirects", marked(redirectsFile(redirects, isDecoded)));
  if (preset.headers === "_headers") wanted.set("_headers", marked(headersFile(rules)));
  if (preset.headers === "nginx") atomicWrite(join(stateDir, "nginx.conf"), nginxSnippet(rules));
  if (preset.headers === "vercel.json") {
    const content = {
      $schema: "https://openapi.vercel.sh/vercel.json",
      trailingSlash: true,
      redirects: vercelRedirects(redirects),
      headers: vercelHeaders(rules),
    };
    wanted.set("vercel.json", `${JSON.stringify(content, null, 2)}\n`);
  }
  const { files, ...report } = writeHostFiles({ ...options, wanted, before: history.written() });
  history.setWritten(files);
  return { headerRules: rules.length, redirects: redirects.length, ...report };
}

/** Names of the redirect pages, below the output folder: the audit must know them. */
export function redirectPages(stateDir: string): string[] {
  using history = new AddressHistory(stateDir);
  return [...history.written().keys()].filter((name) => name.endsWith(".html"));
}
