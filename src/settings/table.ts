/**
 * Every option and every environment variable, a row each. Parsing, `--help`, completions, docs/reference.md and the tests
 * of the documents use this table.
 *
 * A key in capitals is the name of an environment variable.
 */
import { z } from "zod";
import { HOST_NAMES } from "../contract/host.ts";
import {
  credential,
  hostList,
  hostNames,
  languageCodes,
  listenAddress,
  names,
  origin,
  path,
  port,
  proxy,
  rate,
  serviceAddress,
  share,
  wholeNumber,
  word,
  yesNo,
  type Reader,
} from "./readers.ts";
import {
  attributionAddress,
  attributionName,
  siteConfigSchema,
  type SiteConfig,
} from "./site-config.ts";

/** Keys of `site/config.ts` whose value is a string, a number or a boolean. */
type PlainKey = {
  [K in keyof SiteConfig]: SiteConfig[K] extends string | number | boolean ? K : never;
}[keyof SiteConfig];

export interface Setting {
  readonly meaning: string;
  /** Name of the option and word for its value, such as `--state DIR`; without a value it is a switch. */
  readonly option?: string;
  /** Input of the reader. Absent where `site/config.ts` or the program has the default. */
  readonly default?: string;
  /** Absent for a switch that is no variable. */
  readonly reader?: Reader;
  /** The key of `site/config.ts` that it overrides. */
  readonly config?: PlainKey;
  /** Never printed, not even when it is wrong. */
  readonly secret?: true;
  /** Not printed when it is wrong: some people put the credential here. */
  readonly besideSecret?: true;
}

/** Value of `VOTE_BASE_URL` that turns voting off. */
export const VOTING_OFF = "off";

const { shape } = siteConfigSchema;

/** A number with the limits of its key in `site/config.ts`. */
const numberOf = (key: z.ZodDefault<z.ZodInt>): Reader<number> =>
  z
    .string()
    .regex(/^\d{1,15}$/, "expected a whole number")
    .transform(Number)
    .pipe(key.unwrap());

export const SETTINGS = {
  QUOTES_BASE_URL: {
    option: "--base-url URL",
    meaning:
      "address of the quotes service; without it the embedded service is used, and `relay` does not start",
    reader: serviceAddress,
  },
  QUOTES_DATA: {
    meaning:
      "own file of quotes in the place of a service: CSV, JSON or NDJSON ([own-quotes.md](own-quotes.md))",
    reader: path,
  },
  QUOTES_TOKEN: {
    meaning: "credential of the service, sent as `Authorization: Token …`; never printed",
    reader: credential,
    secret: true,
  },
  QUOTES_TOKEN_FILE: {
    meaning: "file that holds the credential, instead of `QUOTES_TOKEN`",
    reader: path,
  },
  QUOTES_TOKEN_SCHEME: {
    meaning: "word before the credential",
    default: "Token",
    reader: z.string().regex(/^[A-Za-z][A-Za-z0-9-]*$/, "expected one word"),
    besideSecret: true,
  },
  QUOTES_ALLOW_HTTP: {
    meaning: "`1` sends the credential to other machines over plain `http://` too",
    reader: yesNo,
  },
  QUOTES_PLAN: {
    meaning: "`free` shows the attribution on every page, `paid` leaves it out",
    default: "free",
    reader: word(["free", "paid"]),
  },
  ATTRIBUTION_NAME: {
    meaning: "name in the attribution; the service's host when not set",
    reader: attributionName,
  },
  ATTRIBUTION_URL: {
    meaning: "where the attribution leads; to the service itself when not set",
    reader: attributionAddress,
  },
  QUOTES_LANGUAGES: {
    meaning:
      "language codes to harvest, separated by commas; `en` includes `en-US`; all when not set",
    reader: languageCodes,
  },
  QUOTES_TAGS: {
    meaning: "tags to harvest, separated by commas; all when not set",
    reader: names,
  },
  QUOTES_CURATED: { meaning: "`1` harvests curated quotes only", reader: yesNo },
  QUOTES_PAGE_SIZE: {
    option: "--page-size N",
    meaning: "quotes to ask for in one request; the service may send fewer",
    reader: wholeNumber(1, 100_000),
  },
  QUOTES_CONCURRENCY: {
    option: "--concurrency N",
    meaning: "requests in flight, 1 to 4",
    default: "2",
    reader: wholeNumber(1, 4),
  },
  QUOTES_MAX_REQUESTS: {
    option: "--max-requests N",
    meaning: "most requests of a run, with retries, probes and images of the service's host",
    reader: wholeNumber(1, 1_000_000_000),
  },
  QUOTES_MAX_WAIT: {
    option: "--max-wait SECONDS",
    meaning: "longest time in all that a run waits because the service asks it to",
    default: "1800",
    reader: wholeNumber(0, 10_000_000),
  },
  QUOTES_FIRST_WAIT: {
    option: "--first-wait SECONDS",
    meaning:
      "time for a first good answer of the service; at most 10 s of it where the port refuses or the name is unknown",
    default: "120",
    reader: wholeNumber(0, 86_400),
  },
  QUOTES_MAX_SILENCE: {
    option: "--max-silence SECONDS",
    meaning: "time without a good answer after which a run stops, to be resumed",
    default: "300",
    reader: wholeNumber(0, 86_400),
  },
  QUOTES_CONNECT_TIMEOUT: {
    option: "--connect-timeout SECONDS",
    meaning: "time to open a connection",
    default: "10",
    reader: wholeNumber(1, 3_600),
  },
  QUOTES_HEADERS_TIMEOUT: {
    option: "--headers-timeout SECONDS",
    meaning: "time until the first byte of an answer",
    default: "20",
    reader: wholeNumber(1, 3_600),
  },
  QUOTES_IDLE_TIMEOUT: {
    option: "--idle-timeout SECONDS",
    meaning: "time between two parts of an answer",
    default: "10",
    reader: wholeNumber(1, 3_600),
  },
  QUOTES_TIMEOUT: {
    option: "--timeout SECONDS",
    meaning: "time for a whole answer",
    default: "60",
    reader: wholeNumber(1, 3_600),
  },
  HTTP_PROXY: {
    meaning:
      "proxy for addresses with http, as a URL; it may hold a name and a password. Also in lower case",
    besideSecret: true,
    reader: proxy,
  },
  HTTPS_PROXY: {
    meaning: "proxy for addresses with https, through a tunnel. Also in lower case",
    besideSecret: true,
    reader: proxy,
  },
  NO_PROXY: {
    meaning:
      "hosts that are reached without a proxy, separated by commas: names, `.example.org` with all below it, or `*`. Also in lower case",
    reader: hostList,
  },
  QUOTES_MAX_UNREADABLE: {
    option: "--max-unreadable PERCENT",
    meaning: "percentage of the records that may be unreadable",
    default: "1",
    reader: wholeNumber(0, 100),
  },
  allowShrink: {
    option: "--allow-shrink",
    meaning: "publish although many quotes are gone",
  },
  allowPartial: {
    option: "--allow-partial",
    meaning: "publish an incomplete harvest when no complete one exists",
  },
  harvestPictures: {
    option: "--pictures",
    meaning: "also fetch the images that quotes name, as a build does",
  },
  STATE_DIR: {
    option: "--state DIR",
    meaning: "folder of the snapshots and caches",
    default: ".commonplace",
    reader: path,
  },
  BUNDLE_DIR: {
    meaning:
      "folder of kept bundles of the pages ([astro.md](astro.md)), or `off` to bundle in every build; a folder of the state when not set",
    reader: path,
  },
  out: {
    option: "--out DIR",
    meaning: "folder of the finished site",
    default: "dist",
    reader: path,
  },
  adopt: {
    option: "--adopt",
    meaning: "use a folder of `--out` or `--state` although no build made it",
  },
  SITE_DIR: {
    meaning: "folder of the fork's own files",
    default: "site",
    reader: path,
  },
  SITE_URL: {
    meaning: "scheme and host of the finished site, such as `https://quotes.example`",
    config: "url",
    reader: shape.url.unwrap(),
  },
  SITE_BASE: {
    meaning: "folder below that address, such as `/quotes/`",
    config: "base",
    reader: z
      .string()
      .regex(/^\/?(?:[\w.~-]+\/)*[\w.~-]*$/, "expected a path such as /quotes/")
      .transform((base) => `/${base}/`.replace(/\/+/g, "/"))
      .pipe(shape.base.unwrap()),
  },
  SITE_LANGUAGE: {
    meaning: "language of the pages that belong to no language, such as `en`",
    config: "language",
    reader: shape.language.unwrap(),
  },
  SITE_THEME: {
    meaning: "theme: a name, a path or an npm package",
    config: "theme",
    reader: shape.theme.unwrap(),
  },
  SITE_PER_PAGE: {
    meaning: "quotes on a listing page",
    config: "perPage",
    reader: numberOf(shape.perPage),
  },
  SITE_QUOTE_PAGES: {
    meaning: "number of quotes with a page of their own, the most liked first",
    config: "quotePages",
    reader: numberOf(shape.quotePages),
  },
  SITE_EMBEDS: {
    meaning: "number of quotes with a page to embed elsewhere, the most liked first",
    config: "embeds",
    reader: numberOf(shape.embeds),
  },
  SITE_CARDS: {
    meaning: "number of pages with an Open Graph image of their own",
    config: "cards",
    reader: numberOf(shape.cards),
  },
  SITE_MIN_TAG_QUOTES: {
    meaning: "quotes that a tag needs for a listing",
    config: "minTagQuotes",
    reader: numberOf(shape.minTagQuotes),
  },
  SITE_HOST: {
    option: "--host NAME",
    meaning: `host of the site: ${HOST_NAMES.map((name) => `\`${name}\``).join(", ")}`,
    config: "host",
    reader: word(HOST_NAMES),
  },
  SITE_SHARD: {
    option: "--shard I/N",
    meaning: "render only share I of N of the pages",
    reader: share,
  },
  SITE_DATE: {
    meaning: "date of the quote of the day, such as `2026-01-31`; today in UTC when not set",
    reader: z.iso.date("expected a day such as 2026-01-31"),
  },
  SITE_NOW: {
    meaning: "time at which a run begins, such as `2026-01-31T03:17:00Z`; for drills",
    reader: z.iso
      .datetime("expected a moment such as 2026-01-31T03:17:00Z")
      .transform((moment) => Date.parse(moment))
      // Outside of these years, clocks and names of snapshots are of another form.
      .refine((at) => at > 0 && at < Date.UTC(9999), "expected a year from 1970 to 9998"),
  },
  VOTE_BASE_URL: {
    meaning: "where votes go: the address of the service or of a relay, or `off`",
    reader: z.union([z.literal(VOTING_OFF), origin], "expected an http or https address, or off"),
  },
  missing: {
    option: "--missing",
    meaning: "only authors of whom `site/authors.yaml` says nothing",
  },
  raw: {
    option: "--raw",
    meaning: "the quotes as the service has them, without the corrections of the site",
  },
  whole: {
    option: "--whole",
    meaning: "also make Open Graph images, search index and `build.json`, as a build does",
  },
  parts: {
    option: "--parts DIR",
    meaning: "folder that has a folder for each shard",
    default: "shards",
    reader: path,
  },
  planQuotes: {
    option: "--quotes N",
    meaning: "a collection of N quotes, drawn like real ones, in the place of the service",
    reader: wholeNumber(1, 1_000_000_000),
  },
  auditAll: {
    option: "--all",
    meaning: "read every file, also those that passed before and did not change",
  },
  browser: {
    option: "--browser",
    meaning:
      "also check a page of each kind in a browser: its attribution, and what its typefaces weigh",
  },
  allowHost: {
    option: "--allow-host NAMES",
    meaning: "more host names to answer under, separated by commas",
    reader: hostNames,
  },
  listenHost: {
    option: "--host ADDRESS",
    meaning: "address to listen on; `0.0.0.0` lets other devices on the network connect",
    default: "127.0.0.1",
    reader: listenAddress,
  },
  listenPort: {
    option: "--port N",
    meaning: "port to listen on",
    default: "4321",
    reader: port,
  },
  servePort: {
    option: "--port N",
    meaning: "port to listen on, 0 for a free one",
    default: "8080",
    reader: port,
  },
  siteTitle: {
    option: "--title TEXT",
    meaning: "title of the new site",
    reader: shape.title.unwrap(),
  },
  siteUrl: {
    option: "--url URL",
    meaning: "scheme and host of the new site, where they are known",
    reader: shape.url.unwrap(),
  },
  siteTheme: {
    option: "--theme NAME",
    meaning: "theme of the new site",
    reader: shape.theme.unwrap(),
  },
  siteFile: {
    option: "--data FILE",
    meaning: "own file of quotes in the place of a service, from the folder of the new site",
    reader: path,
  },
  data: {
    option: "--data FILE",
    meaning:
      "quotes to serve instead of the embedded ones: NDJSON, JSON or CSV, also gzipped; what they lack, such as likes, is made up",
    reader: path,
  },
  db: {
    option: "--db FILE",
    meaning: "file that keeps quotes and votes; in memory when not given",
    reader: path,
  },
  quota: {
    option: "--quota N/SECONDS",
    meaning: "requests that a client may send in that time; the next is answered 429",
    reader: rate,
  },
  token: {
    option: "--token T",
    meaning: "credential that requests need; visible in `ps` until the service runs",
    reader: credential,
    secret: true,
  },
  tokenFile: {
    option: "--token-file FILE",
    meaning: "file that holds the credential",
    reader: path,
  },
  servePageSize: {
    option: "--page-size N",
    meaning: "quotes in a page when the request names no number",
    default: "5",
    reader: wholeNumber(1, 100_000),
  },
  maxLimit: {
    option: "--max-limit N",
    meaning: "most quotes in a page; larger numbers count as this one",
    default: "100",
    reader: wholeNumber(1, 100_000),
  },
  publicUrl: {
    option: "--public-url URL",
    meaning: "address to build links from; the one listened on when not given",
    reader: origin,
  },
  cors: {
    option: "--cors ORIGIN",
    meaning: "origin whose pages may read the answers",
    reader: origin,
  },
  RELAY_HOST: {
    option: "--host ADDRESS",
    meaning: "address that the relay listens on",
    default: "127.0.0.1",
    reader: listenAddress,
  },
  RELAY_PORT: {
    option: "--port N",
    meaning: "port that the relay listens on",
    default: "8081",
    reader: port,
  },
  RELAY_QUOTA: {
    meaning: "votes that the relay forwards for one address",
    default: "60/600",
    reader: rate,
  },
  RELAY_TOTAL: {
    meaning: "votes that the relay forwards in all; one network may use a tenth",
    default: "2000/3600",
    reader: rate,
  },
  RELAY_REPORTS: {
    meaning: "`off`: the relay forwards no reports",
    default: "on",
    reader: word(["on", "off"]).transform((value) => value === "on"),
  },
  RELAY_PROXIES: {
    meaning: "number of proxies in front of the relay whose `X-Forwarded-For` is believed",
    default: "0",
    reader: wholeNumber(0, 10),
  },
  screenshotsDir: {
    option: "--pictures DIR",
    meaning: "folder for the screenshots",
    default: "screenshots",
    reader: path,
  },
  json: {
    option: "--json",
    meaning: "print the result as JSON, a failure as an object; progress goes to stderr",
  },
  quiet: { option: "--quiet", meaning: "no progress" },
  GITHUB_ACTIONS: {
    meaning: "`true` on GitHub's runners: warnings are also written as annotations",
    reader: z.string().transform((value) => value === "true"),
  },
  GITHUB_STEP_SUMMARY: {
    meaning: "file to which a build adds its report, in Markdown",
    reader: path,
  },
  CHROMIUM_PATH: {
    meaning: "browser for tests, screenshots and `--browser`; the one of the packages when not set",
    reader: path,
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingKey = keyof typeof SETTINGS;
