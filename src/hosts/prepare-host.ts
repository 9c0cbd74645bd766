/**
 * Prepares the rendered pages for a host: notes addresses that moved, and writes headers and redirects in the host's format.
 * The render stage does not know these files.
 */
import { join } from "node:path";
import { atomicWrite } from "../files/disk.ts";
import type { PageReader } from "../site/index.ts";
import { AddressHistory } from "./addresses.ts";
import { headerRules, headersFile, nginxSnippet, vercelHeaders } from "./headers.ts";
import { MARK_BYTES, marked, writeHostFiles } from "./host-files.ts";
import type { HostPreset } from "./presets.ts";
import {
  acceptedOf,
  encoded,
  redirectPage,
  redirectsFile,
  vercelRedirects,
  type RedirectPageWords,
} from "./redirects.ts";

interface HostOptions {
  readonly preset: HostPreset;
  readonly outDir: string;
  readonly stateDir: string;
  /** Scheme and host of the site, without a trailing slash. */
  readonly origin: string;
  /** With slashes at both ends. */
  readonly base: string;
  readonly reader: PageReader;
  readonly words: RedirectPageWords;
  /** Whether a folder `public/` has this file. */
  readonly isPublic: (name: string) => boolean;
  /** Number of files of the site; redirect pages take what the host's limit leaves. */
  readonly files: number;
}

export type HostReport = Readonly<ReturnType<typeof prepareHost>>;

/** Each redirect page is a file, and few readers use an old address. */
const MOST_REDIRECT_PAGES = 5_000;

/** @throws {DiskError} when the site cannot be read, or a file cannot be written */
export function prepareHost(options: HostOptions) {
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
    // A feed reader cannot follow a redirect page.
    .filter(({ from }) => !hasPages || from.endsWith("/"));
  const redirects = hasPages
    ? acceptedOf(usable, { redirects: room, redirectBytes: null })
    : acceptedOf(usable, limits, MARK_BYTES);
  const wanted = new Map<string, string>();
  for (const { from, to } of hasPages ? redirects : []) {
    const file = `${decodeURI(from.slice(base.length))}index.html`;
    wanted.set(file, redirectPage(to, origin, words));
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

/** Paths of the redirect pages below the output folder, for the audit. */
export function redirectPages(stateDir: string): string[] {
  using history = new AddressHistory(stateDir);
  return [...history.written().keys()].filter((name) => name.endsWith(".html"));
}
