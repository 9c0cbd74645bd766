/**
 * Every environment variable there is, as a table: the reader of settings and the tests of the README and of the documents
 * work from it.
 */
import { z } from "zod";
import { HOST_NAMES } from "../contract/host.ts";
import { names, origin, path, port, rate, share, wholeNumber, type Reader } from "./readers.ts";
import { MOST_CARDS, MOST_MIN_TAG_QUOTES, MOST_PER_PAGE, MOST_QUOTE_PAGES } from "./site-config.ts";
import { VOTING_OFF } from "./vote-target.ts";

export interface Variable {
  readonly meaning: string;
  readonly reader: Reader;
  /** Never printed, not even when it is wrong. */
  readonly secret?: true;
}

/** The environment, by variable. */
export const VARIABLES = {
  QUOTES_BASE_URL: {
    meaning: "address of the quotes service; without it, the embedded service is used",
    reader: origin,
  },
  QUOTES_TOKEN: {
    meaning: "credential, sent as `Authorization: Token …`",
    reader: z.string().regex(/^[\x21-\x7e]+$/, "expected printable ASCII without blanks"),
    secret: true,
  },
  QUOTES_TOKEN_FILE: {
    meaning: "file that holds the credential, in the place of `QUOTES_TOKEN`",
    reader: path,
  },
  QUOTES_ALLOW_HTTP: {
    meaning: "`1` sends the credential over plain http too, as in a network of your own",
    reader: z.enum(["0", "1"], "expected 0 or 1").transform((value) => value === "1"),
  },
  QUOTES_TOKEN_SCHEME: {
    meaning: "the word before the credential",
    reader: z.string().regex(/^[A-Za-z][A-Za-z0-9-]*$/, "expected one word"),
  },
  QUOTES_PLAN: {
    meaning: "`free` (attribution on every page) or `paid`",
    reader: z.enum(["free", "paid"], "expected free or paid"),
  },
  QUOTES_LANGUAGES: {
    meaning: "language codes to harvest, separated by commas; default all",
    reader: names,
  },
  QUOTES_TAGS: { meaning: "tags to harvest, separated by commas; default all", reader: names },
  QUOTES_CURATED: {
    meaning: "`1` to harvest curated quotes alone",
    reader: z.enum(["0", "1"], "expected 0 or 1").transform((value) => value === "1"),
  },
  QUOTES_PAGE_SIZE: {
    meaning: "quotes to ask for in one request; the service may send fewer",
    reader: wholeNumber(1, 100_000),
  },
  QUOTES_CONCURRENCY: { meaning: "requests in flight, 1 to 4", reader: wholeNumber(1, 4) },
  QUOTES_MAX_REQUESTS: {
    meaning: "hard ceiling on the requests of a run",
    reader: wholeNumber(1, 1_000_000_000),
  },
  QUOTES_MAX_UNREADABLE: {
    meaning: "percent of the records that may be unreadable; default 1",
    reader: wholeNumber(0, 100),
  },
  QUOTES_MAX_WAIT: {
    meaning: "seconds a run may spend waiting for the service's permission",
    reader: wholeNumber(0, 10_000_000),
  },
  SITE_DIR: { meaning: "folder of the fork's own files; default `site`", reader: path },
  SITE_URL: {
    meaning: "where the site will live, such as `https://quotes.example`",
    reader: origin,
  },
  SITE_BASE: {
    meaning: "folder below that address, such as `/quotes/`",
    reader: z
      .string()
      .regex(/^\/?(?:[\w.~-]+\/)*[\w.~-]*$/, "expected a path such as /quotes/")
      .transform((base) => `/${base}/`.replace(/\/+/g, "/")),
  },
  SITE_LANGUAGE: {
    meaning: "language of the pages that belong to none, such as `en`",
    reader: z.string().regex(/^[a-z]{2,3}$/, "expected a language code such as en"),
  },
  SITE_THEME: {
    meaning: "theme: a name, a path or an npm package",
    reader: z.string().min(1),
  },
  SITE_HOST: {
    meaning: `where the site is put: ${HOST_NAMES.join(", ")}`,
    reader: z.enum(HOST_NAMES, `expected one of ${HOST_NAMES.join(", ")}`),
  },
  SITE_FIT: {
    meaning: "`1` makes the site smaller until the host takes it",
    reader: z.enum(["0", "1"], "expected 0 or 1").transform((value) => value === "1"),
  },
  SITE_PER_PAGE: { meaning: "quotes on a listing page", reader: wholeNumber(1, MOST_PER_PAGE) },
  SITE_QUOTE_PAGES: {
    meaning: "quotes with a page of their own",
    reader: wholeNumber(0, MOST_QUOTE_PAGES),
  },
  SITE_CARDS: {
    meaning: "quotes, authors and tags with a card of their own",
    reader: wholeNumber(0, MOST_CARDS),
  },
  SITE_MIN_TAG_QUOTES: {
    meaning: "quotes that a tag must have to get a listing; default 1",
    reader: wholeNumber(1, MOST_MIN_TAG_QUOTES),
  },
  SITE_SHARD: { meaning: "share of the pages to render, such as `1/4`", reader: share },
  SITE_DATE: {
    meaning: "day of the quotes of the day, as `2026-01-31`; default today, in UTC",
    reader: z.iso.date("expected a day such as 2026-01-31"),
  },
  SITE_NOW: {
    meaning: "moment a run begins at, as `2026-01-31T03:17:00Z`; for drills, default the real one",
    reader: z.iso
      .datetime("expected a moment such as 2026-01-31T03:17:00Z")
      .transform((moment) => Date.parse(moment)),
  },
  VOTE_BASE_URL: {
    meaning: "where votes go: the service itself, a relay, or `off`",
    reader: z.union([z.literal(VOTING_OFF), origin], "expected an http or https address, or off"),
  },
  RELAY_HOST: {
    meaning: "address the relay listens on; default 127.0.0.1",
    reader: z.string().regex(/^[\w.:-]+$/, "expected an address or a host name"),
  },
  RELAY_PORT: { meaning: "port the relay listens on; default 8081", reader: port },
  RELAY_QUOTA: {
    meaning: "votes the relay passes on for one address; default 60/600",
    reader: rate,
  },
  RELAY_TOTAL: {
    meaning: "votes the relay passes on in all, a tenth of it for one network; default 2000/3600",
    reader: rate,
  },
  RELAY_REPORTS: {
    meaning: "`off`: the relay passes on no reports; default on",
    reader: z.enum(["on", "off"], "expected on or off").transform((value) => value === "on"),
  },
  RELAY_PROXIES: {
    meaning: "proxies in front of the relay whose `X-Forwarded-For` is believed; default 0",
    reader: wholeNumber(0, 10),
  },
  STATE_DIR: {
    meaning: "folder of the snapshots and caches; default `.commonplace`",
    reader: path,
  },
  GITHUB_ACTIONS: {
    meaning: "`true` on GitHub's runners: warnings are also written as annotations",
    reader: z.string().transform((value) => value === "true"),
  },
  GITHUB_STEP_SUMMARY: {
    meaning: "file that the report of the night is added to, in Markdown",
    reader: path,
  },
  CHROMIUM_PATH: { meaning: "browser for the tests that need one", reader: path },
} as const satisfies Readonly<Record<string, Variable>>;

export type VariableName = keyof typeof VARIABLES;
