/** A small site whose cards can be voted on: six quotes in English and in Arabic, and 500 on one page. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serveFolder } from "./browser.ts";
import { buildSite, NOWHERE } from "../built/index.ts";

export interface VoteSite {
  readonly url: string;
  readonly folder: string;
}

/** Quotes 1 to 6, which have 60 to 10 likes. */
export const EN = "author/six/";

/** Quotes 1 to 500. */
export const MANY = "language/en/";

/** Quotes 501 to 506. */
export const AR = "language/ar/";

const QUOTES = Array.from({ length: 506 }, (_, index) => ({
  id: index + 1,
  text: `Words of quote ${index + 1}.`,
  author: index < 6 ? "Six" : "Many",
  language: index < 500 ? "en" : "ar",
  likes: index < 6 ? 60 - 10 * index : 0,
}));

/** Has the pages of a built site vote on another service. */
export function voteOn(url: string, folder: string): void {
  for (const page of globSync("**/*.html", { cwd: folder })) {
    const html = readFileSync(join(folder, page), "utf8");
    writeFileSync(join(folder, page), html.replaceAll(NOWHERE, url));
  }
}

/** Serves a copy of the site, which is built once in a run of the tests. */
export async function startVoteSite(voteBaseUrl: string): Promise<VoteSite> {
  const variables = { SITE_PER_PAGE: "500", VOTE_BASE_URL: NOWHERE };
  const { outDir: folder } = await buildSite({ quotes: QUOTES }, variables);
  voteOn(voteBaseUrl, folder);
  const served = await serveFolder(folder);
  return { url: served.url, folder };
}
