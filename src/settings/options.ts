/** Every option of every command, as tables: the reader of settings, `--help` and the tests of the README work from these. */
import { HOST_NAMES } from "../contract/host.ts";
import { names, origin, path, port, rate, wholeNumber, type Reader } from "./readers.ts";
import type { VariableName } from "./variables.ts";

export interface Option {
  readonly meaning: string;
  /** Word for the value in `--help`; without it the option is a switch. */
  readonly value?: string;
  /** Checked as this variable is, and wins over it. */
  readonly variable?: VariableName;
  /** Checked so, where no variable means the same. */
  readonly reader?: Reader;
}

/** Options that every command takes. */
export const COMMON_OPTIONS = {
  "base-url": {
    meaning: "address of the quotes service",
    value: "URL",
    variable: "QUOTES_BASE_URL",
  },
  state: { meaning: "folder of the snapshots and caches", value: "DIR", variable: "STATE_DIR" },
  out: { meaning: "folder of the finished site; default `dist`", value: "DIR", reader: path },
  "max-requests": {
    meaning: "hard ceiling on the requests of a run",
    value: "N",
    variable: "QUOTES_MAX_REQUESTS",
  },
  "max-wait": {
    meaning: "seconds to wait for the service's permission in all",
    value: "SECONDS",
    variable: "QUOTES_MAX_WAIT",
  },
  "page-size": { meaning: "quotes in one request", value: "N", variable: "QUOTES_PAGE_SIZE" },
  concurrency: { meaning: "requests in flight", value: "N", variable: "QUOTES_CONCURRENCY" },
  adopt: { meaning: "take over a folder of `--out` or `--state` that no build made" },
  "max-unreadable": {
    meaning: "percent of the records that may be unreadable; default 1",
    value: "PERCENT",
    variable: "QUOTES_MAX_UNREADABLE",
  },
  "max-quotes": {
    meaning: "quotes that a collection may have; default 5000000",
    value: "N",
    reader: wholeNumber(1, 1_000_000_000),
  },
  "max-work-gb": {
    meaning: "size of the working file, in GB; default 8",
    value: "N",
    reader: wholeNumber(1, 100_000),
  },
  "allow-shrink": { meaning: "publish though many quotes vanished" },
  "allow-partial": {
    meaning: "publish a harvest that was cut short, when there is none before it",
  },
  shard: { meaning: "render a share of the pages", value: "I/N", variable: "SITE_SHARD" },
  json: { meaning: "machine-readable result on stdout, progress on stderr" },
  quiet: { meaning: "no progress" },
} as const satisfies Readonly<Record<string, Option>>;

/** Options of the audit. */
export const AUDIT_OPTIONS = {
  all: { meaning: "read every file, also those that passed before and did not change" },
  browser: { meaning: "look at a page of each kind in a browser as well" },
} as const satisfies Readonly<Record<string, Option>>;

/** Options of the command that only harvests. */
export const HARVEST_OPTIONS = {
  pictures: { meaning: "also fetch the pictures that quotes name, as a build does" },
} as const satisfies Readonly<Record<string, Option>>;

/** Options of the commands that make a site for some host, or check one. The relay's `--host` is another. */
export const HOST_OPTIONS = {
  host: {
    meaning: `where the site is put: ${HOST_NAMES.join(", ")}`,
    value: "NAME",
    variable: "SITE_HOST",
  },
  fit: { meaning: "make the site smaller until the host takes it" },
} as const satisfies Readonly<Record<string, Option>>;

/** Options of the command that makes pages. */
export const RENDER_OPTIONS = {
  whole: { meaning: "also cards, search index and `build.json`, as a build does" },
} as const satisfies Readonly<Record<string, Option>>;

/** Options of the command that joins shards. */
export const MERGE_OPTIONS = {
  parts: {
    meaning: "folder with a folder for each shard; default `shards`",
    value: "DIR",
    reader: path,
  },
} as const satisfies Readonly<Record<string, Option>>;

const ALLOW_HOST = {
  meaning: "host names besides localhost to answer under, separated by commas",
  value: "NAME",
  reader: names,
} as const satisfies Option;

/** Options of the embedded service. */
export const SERVE_OPTIONS = {
  port: {
    meaning: "port to listen on; default 8080, 0 for a free one",
    value: "N",
    reader: port,
  },
  data: { meaning: "quotes to load, one JSON a line, also gzipped", value: "FILE", reader: path },
  db: {
    meaning: "file that keeps quotes and votes; default in memory",
    value: "FILE",
    reader: path,
  },
  quota: {
    meaning: "requests allowed to a client in a time",
    value: "N/SECONDS",
    reader: rate,
  },
  token: {
    meaning: "credential that requests must carry; other users see it until the service runs",
    value: "T",
    variable: "QUOTES_TOKEN",
  },
  "token-file": {
    meaning: "file that holds the credential",
    value: "FILE",
    variable: "QUOTES_TOKEN_FILE",
  },
  "page-size": {
    meaning: "quotes in a page when none is asked for; default 5",
    value: "N",
    reader: wholeNumber(1, 100_000),
  },
  "max-limit": {
    meaning: "most quotes in a page; more is clamped; default 100",
    value: "N",
    reader: wholeNumber(1, 100_000),
  },
  "public-url": {
    meaning: "address to build links from; default the one listened on",
    value: "URL",
    reader: origin,
  },
  "allow-host": ALLOW_HOST,
  cors: { meaning: "origin that may read answers from a page", value: "ORIGIN", reader: origin },
  quiet: { meaning: "no progress" },
} as const satisfies Readonly<Record<string, Option>>;

/** Options of the two commands that show the site in a browser. */
export const LISTEN_OPTIONS = {
  port: { meaning: "port to listen on; default 4321", value: "N", reader: port },
  "allow-host": ALLOW_HOST,
  state: COMMON_OPTIONS.state,
  out: COMMON_OPTIONS.out,
} as const satisfies Readonly<Record<string, Option>>;

/** Options of the relay; the rest it is told by the environment, as secrets and hosts are. */
export const RELAY_OPTIONS = {
  host: {
    meaning: "address to listen on; default 127.0.0.1",
    value: "ADDRESS",
    variable: "RELAY_HOST",
  },
  port: { meaning: "port to listen on; default 8081", value: "N", variable: "RELAY_PORT" },
  quiet: { meaning: "no progress" },
} as const satisfies Readonly<Record<string, Option>>;
