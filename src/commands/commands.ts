/** Every command, a row each, with its settings and exit statuses. `main.ts` has their modules. */
import { EXIT, SIGNAL_STATUS } from "../contract/errors.ts";
import { isSettingKey } from "../settings/sources.ts";
import type { SettingKey } from "../settings/table.ts";
import type { Writes } from "./own-folders.ts";

export interface CommandRow {
  readonly summary: string;
  /** Arguments in commander's form, and the choices of each; no choices accept anything. */
  readonly words?: Readonly<Record<string, readonly string[]>>;
  /** Options and variables that have an effect. */
  readonly settings: readonly SettingKey[];
  /** Whether the command also accepts the common options that have no effect. */
  readonly common?: true;
  /** Folders to lock and check before the command is loaded; default "nothing". */
  readonly writes?: Writes;
  /** Exit statuses in addition to those of every command. */
  readonly statuses: readonly number[];
}

/** Reads lists of keys that are separated by blanks. */
const keys = (...texts: readonly string[]): SettingKey[] =>
  texts
    .flatMap((text) => text.split(" "))
    .map((name) => {
      if (!isSettingKey(name)) throw new Error(`there is no setting ${name}`);
      return name;
    });

const SERVICE =
  "QUOTES_BASE_URL QUOTES_DATA QUOTES_TOKEN QUOTES_TOKEN_FILE QUOTES_TOKEN_SCHEME QUOTES_ALLOW_HTTP";
const LIMITS =
  "QUOTES_PAGE_SIZE QUOTES_CONCURRENCY QUOTES_MAX_REQUESTS QUOTES_MAX_WAIT QUOTES_MAX_UNREADABLE " +
  "QUOTES_FIRST_WAIT QUOTES_MAX_SILENCE QUOTES_TIMEOUT QUOTES_CONNECT_TIMEOUT QUOTES_HEADERS_TIMEOUT " +
  "QUOTES_IDLE_TIMEOUT HTTP_PROXY HTTPS_PROXY NO_PROXY";
const GUARDS = "allowShrink allowPartial";
const WALK = `QUOTES_LANGUAGES QUOTES_TAGS QUOTES_CURATED ${LIMITS} ${GUARDS}`;
const HOST = "SITE_HOST";
const SIZES = "SITE_PER_PAGE SITE_QUOTE_PAGES SITE_EMBEDS SITE_CARDS SITE_MIN_TAG_QUOTES";
const PAGES = `QUOTES_PLAN ATTRIBUTION_NAME ATTRIBUTION_URL SITE_DIR SITE_URL SITE_BASE SITE_LANGUAGE SITE_THEME VOTE_BASE_URL ${SIZES} SITE_DATE SITE_NOW`;
const FOLDERS = "STATE_DIR out adopt";
const OUTPUT = "json quiet";
const CI = "GITHUB_ACTIONS GITHUB_STEP_SUMMARY";

/** Options that every command on a site accepts. */
export const COMMON = keys(
  "QUOTES_BASE_URL STATE_DIR out QUOTES_MAX_REQUESTS QUOTES_MAX_WAIT QUOTES_PAGE_SIZE",
  "QUOTES_CONCURRENCY QUOTES_MAX_UNREADABLE",
  GUARDS,
  "adopt SITE_SHARD",
  HOST,
  OUTPUT,
);

const { refused, unavailable, disk, stopped } = EXIT;
const MAKES_SITE = [refused, disk, stopped];
const HARVESTS = [...MAKES_SITE, unavailable];

const COMMANDS = {
  build: {
    summary: "Make the whole site: harvest, images, pages, search index, audit.",
    settings: keys(SERVICE, WALK, FOLDERS, "BUNDLE_DIR", PAGES, HOST, OUTPUT, CI),
    common: true,
    writes: "site",
    statuses: HARVESTS,
  },
  harvest: {
    summary: "Read the service into a snapshot.",
    settings: keys(SERVICE, WALK, "harvestPictures", FOLDERS, "SITE_NOW", OUTPUT, CI),
    common: true,
    writes: "state",
    statuses: HARVESTS,
  },
  render: {
    summary: "Make the pages from the snapshot; needs no network.",
    settings: keys(FOLDERS, "BUNDLE_DIR whole SITE_SHARD", PAGES, HOST, OUTPUT, CI),
    common: true,
    writes: "site",
    statuses: MAKES_SITE,
  },
  merge: {
    summary: "Join the pages that several machines rendered with --shard.",
    settings: keys(FOLDERS, "parts", PAGES, HOST, OUTPUT, CI),
    common: true,
    writes: "site",
    statuses: MAKES_SITE,
  },
  plan: {
    summary: "Estimate what a build would cost: requests, minutes, pages, files, bytes.",
    settings: keys(SERVICE, WALK, "planQuotes STATE_DIR adopt", PAGES, HOST, OUTPUT),
    common: true,
    writes: "state",
    statuses: HARVESTS,
  },
  doctor: {
    summary: "Check what a run needs: settings, service, folders, fonts, clock, host.",
    settings: keys(SERVICE, LIMITS, FOLDERS, PAGES, HOST, OUTPUT),
    common: true,
    statuses: [unavailable, disk],
  },
  copies: {
    summary:
      "List quotes of one author that say nearly the same, as lines for site/corrections.yaml.",
    settings: keys("STATE_DIR", PAGES, OUTPUT),
    common: true,
    statuses: [disk, stopped],
  },
  authors: {
    summary: "List the authors with most quotes, as lines for site/authors.yaml.",
    settings: keys("missing STATE_DIR", PAGES, OUTPUT),
    common: true,
    statuses: [disk, stopped],
  },
  audit: {
    summary: "Check the finished site and report what is wrong with it.",
    settings: keys(
      "STATE_DIR out auditAll browser QUOTES_TOKEN QUOTES_TOKEN_FILE",
      PAGES,
      HOST,
      "CHROMIUM_PATH",
      OUTPUT,
      CI,
    ),
    common: true,
    statuses: [refused, disk, stopped],
  },
  export: {
    summary: "Write the snapshot to stdout as NDJSON, one quote a line, ordered by pk.",
    settings: keys("STATE_DIR SITE_DIR raw", OUTPUT),
    common: true,
    statuses: [disk, stopped],
  },
  snapshots: {
    summary: "List the snapshots (list), publish one again (use ID), or remove old ones (prune).",
    words: { "[action]": ["list", "use", "prune"], "[id]": [] },
    settings: keys("STATE_DIR SITE_NOW", OUTPUT),
    common: true,
    statuses: [disk, stopped],
  },
  serve: {
    summary: "Run the embedded quotes service.",
    settings: keys(
      "servePort data db quota token tokenFile QUOTES_TOKEN QUOTES_TOKEN_FILE servePageSize maxLimit publicUrl allowHost cors quiet",
    ),
    statuses: [disk],
  },
  relay: {
    summary:
      "Forward votes and reports of the site's readers to a service that needs a credential.",
    settings: keys(
      "RELAY_HOST RELAY_PORT RELAY_QUOTA RELAY_TOTAL RELAY_REPORTS RELAY_PROXIES",
      SERVICE,
      "SITE_URL SITE_BASE SITE_LANGUAGE quiet",
    ),
    statuses: [disk],
  },
  dev: {
    summary: "Run Astro's development server over the snapshot, with the embedded service.",
    settings: keys(SERVICE, "listenPort allowHost", FOLDERS, PAGES, "quiet"),
    writes: "state",
    statuses: HARVESTS,
  },
  preview: {
    summary: "Serve the finished site with the headers and redirects of its host.",
    settings: keys(
      "listenHost listenPort allowHost STATE_DIR out SITE_URL SITE_BASE VOTE_BASE_URL SITE_HOST quiet",
    ),
    statuses: [disk],
  },
  init: {
    summary: "Write the files of a new site that has Commonplace as a package: init DIR.",
    words: { "<folder>": [] },
    settings: keys("QUOTES_BASE_URL siteFile siteTitle siteUrl siteTheme json"),
    statuses: [disk],
  },
  theme: {
    summary: "Make the skeleton of a theme: theme new NAME.",
    words: { "<action>": ["new"], "<name>": [] },
    settings: keys("SITE_DIR json"),
    statuses: [disk],
  },
  eject: {
    summary: "Write an override of a component into site/, a copy or a wrapper: eject NAME.",
    words: { "<name>": [] },
    settings: keys("SITE_DIR json"),
    statuses: [disk],
  },
  screenshots: {
    summary: "Take pictures of the site in every theme, light and dark, in three languages.",
    settings: keys("screenshotsDir STATE_DIR CHROMIUM_PATH", OUTPUT),
    statuses: [disk, stopped],
  },
  completions: {
    summary: "Print a script that completes commands and options: bash, zsh or fish.",
    words: { "<shell>": ["bash", "zsh", "fish"] },
    settings: [],
    statuses: [],
  },
} as const satisfies Readonly<Record<string, CommandRow>>;

export type CommandName = keyof typeof COMMANDS;

export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];

export const commandOf = (name: CommandName): CommandRow => COMMANDS[name];

/** Every exit status that a command may end with, in order. */
export function statusesOf({ statuses }: CommandRow): number[] {
  const always = [
    EXIT.done,
    EXIT.bug,
    EXIT.usage,
    EXIT.configuration,
    ...Object.values(SIGNAL_STATUS),
  ];
  return [...always, ...statuses].sort((a, b) => a - b);
}
