/**
 * One checked value for everything a run may be told, read once: an option wins over its environment variable, which
 * wins over `site/config.ts`.
 *
 * Stages never see the environment; they are handed the part of this that concerns them.
 */
import { resolve } from "node:path";
import { ConfigurationError } from "../contract/errors.ts";
import type { HostName } from "../contract/host.ts";
import type { Part } from "../contract/part.ts";
import type { Secret } from "../contract/secrets/finder.ts";
import { readEnvironment, secretsIn, type Environment, type Values } from "./sources.ts";
import { readSiteConfig, type SiteConfig } from "./site-config.ts";
import type { VariableName } from "./variables.ts";
import { isLoopback, voteTarget, VOTING_OFF } from "./vote-target.ts";

/** What to harvest; an empty list means everything. */
export interface Selection {
  readonly languages: readonly string[];
  readonly tags: readonly string[];
  readonly curated: boolean;
}

/** So many in so many seconds. */
export interface Rate {
  readonly requests: number;
  readonly seconds: number;
}

export interface Settings {
  readonly service: {
    /** Null: the embedded service. Never ends in a slash. */
    readonly baseUrl: string | null;
    readonly token: string | null;
    readonly tokenScheme: string;
    readonly plan: "free" | "paid";
  };
  readonly selection: Selection;
  readonly walk: {
    /** Quotes to ask for in one request; null to ask generously. */
    readonly pageSize: number | null;
    /** Requests in flight, 1 to 4. */
    readonly concurrency: number;
    /** Hard ceiling on requests; null for none. */
    readonly maxRequests: number | null;
    readonly maxWaitMs: number;
    /** Share of the records that may be unreadable, from 0 to 1. */
    readonly maxUnreadable: number;
    readonly maxQuotes: number;
    /** Size of the working file. */
    readonly maxWorkBytes: number;
    readonly allowShrink: boolean;
    readonly allowPartial: boolean;
  };
  readonly site: SiteConfig;
  /** The day of the quotes of the day, `YYYY-MM-DD`; null for the day of the build, in UTC. */
  readonly date: string | null;
  /** Milliseconds since the epoch. It ticks like the real clock, from the moment that `SITE_NOW` sets. */
  readonly now: () => number;
  /** Where votes go, settled by `voteTarget`; null when voting is off. */
  readonly voteBaseUrl: string | null;
  readonly relay: {
    readonly host: string;
    readonly port: number;
    readonly perAddress: Rate;
    readonly total: Rate;
    /** Whether reports are passed on. */
    readonly reports: boolean;
    /** Proxies in front whose `X-Forwarded-For` is believed. */
    readonly proxies: number;
  };
  /** Absolute. */
  readonly stateDir: string;
  /** Absolute. */
  readonly outDir: string;
  /** Whether folders that no build made may be taken over. */
  readonly adopt: boolean;
  readonly shard: Part | null;
  /** What the CI system that runs this wants to be told. */
  readonly ci: { readonly annotations: boolean; readonly summaryFile: string | null };
  readonly output: { readonly json: boolean; readonly quiet: boolean };
  /** All that nobody may see, whatever it is for. */
  readonly secrets: readonly Secret[];
}

/** Half an hour: longer than most throttles, shorter than most CI jobs. */
const DEFAULT_MAX_WAIT_SECONDS = 1_800;

/** Joins the three sources into one value; `options` come from `readOptions`, by name and by the variable they stand for. */
export function readSettings(options: Values, env: Environment, config: unknown = {}): Settings {
  const variables = readEnvironment(env);
  const site = readSiteConfig(config);
  /** The option if given, else its variable, else undefined. */
  const value = <T>(variable: VariableName, option?: string): T | undefined =>
    (option === undefined ? undefined : (options[option] as T | undefined)) ??
    (variables[variable] as T | undefined);
  const flag = (option: string): boolean => options[option] === true;
  const baseUrl = value<string>("QUOTES_BASE_URL", "base-url") ?? null;
  const token = value<string>("QUOTES_TOKEN") ?? null;
  if (token !== null && baseUrl !== null) {
    refuseClearText(baseUrl, value<boolean>("QUOTES_ALLOW_HTTP") ?? false);
  }
  const siteUrl = value<string>("SITE_URL") ?? site.url.replace(/\/+$/, "");
  return {
    service: {
      baseUrl,
      token,
      tokenScheme: value<string>("QUOTES_TOKEN_SCHEME") ?? "Token",
      plan: value<"free" | "paid">("QUOTES_PLAN") ?? "free",
    },
    selection: {
      languages: value<string[]>("QUOTES_LANGUAGES") ?? [],
      tags: value<string[]>("QUOTES_TAGS") ?? [],
      curated: value<boolean>("QUOTES_CURATED") ?? false,
    },
    walk: {
      pageSize: value<number>("QUOTES_PAGE_SIZE", "page-size") ?? null,
      concurrency: value<number>("QUOTES_CONCURRENCY", "concurrency") ?? 2,
      maxRequests: value<number>("QUOTES_MAX_REQUESTS", "max-requests") ?? null,
      maxWaitMs: (value<number>("QUOTES_MAX_WAIT", "max-wait") ?? DEFAULT_MAX_WAIT_SECONDS) * 1_000,
      maxUnreadable: (value<number>("QUOTES_MAX_UNREADABLE", "max-unreadable") ?? 1) / 100,
      maxQuotes: (options["max-quotes"] as number | undefined) ?? 5_000_000,
      maxWorkBytes: ((options["max-work-gb"] as number | undefined) ?? 8) * 1e9,
      allowShrink: flag("allow-shrink"),
      allowPartial: flag("allow-partial"),
    },
    site: {
      ...site,
      url: siteUrl,
      base: value<string>("SITE_BASE") ?? site.base,
      language: value<string>("SITE_LANGUAGE") ?? site.language,
      theme: value<string>("SITE_THEME") ?? site.theme,
      perPage: value<number>("SITE_PER_PAGE") ?? site.perPage,
      quotePages: value<number>("SITE_QUOTE_PAGES") ?? site.quotePages,
      cards: value<number>("SITE_CARDS") ?? site.cards,
      minTagQuotes: value<number>("SITE_MIN_TAG_QUOTES") ?? site.minTagQuotes,
      // Not by the option's name: the relay's `--host` is an address.
      host: value<HostName>("SITE_HOST", "SITE_HOST") ?? site.host,
      fit: flag("fit") || (value<boolean>("SITE_FIT") ?? site.fit),
    },
    date: value<string>("SITE_DATE") ?? null,
    now: clockFrom(value<number>("SITE_NOW")),
    voteBaseUrl: voteTarget({
      asked: value<string>("VOTE_BASE_URL") ?? null,
      baseUrl,
      token,
      siteUrl,
    }),
    relay: {
      host: value<string>("RELAY_HOST", "RELAY_HOST") ?? "127.0.0.1",
      port: value<number>("RELAY_PORT", "port") ?? 8_081,
      perAddress: value<Rate>("RELAY_QUOTA") ?? { requests: 60, seconds: 600 },
      total: value<Rate>("RELAY_TOTAL") ?? { requests: 2_000, seconds: 3_600 },
      reports: value<boolean>("RELAY_REPORTS") ?? true,
      proxies: value<number>("RELAY_PROXIES") ?? 0,
    },
    stateDir: resolve(value<string>("STATE_DIR", "state") ?? ".commonplace"),
    outDir: resolve((options["out"] as string | undefined) ?? "dist"),
    adopt: flag("adopt"),
    shard: value<Part>("SITE_SHARD", "SITE_SHARD") ?? null,
    ci: {
      annotations: value<boolean>("GITHUB_ACTIONS") ?? false,
      summaryFile: value<string>("GITHUB_STEP_SUMMARY") ?? null,
    },
    output: { json: flag("json"), quiet: flag("quiet") },
    secrets: secretsIn(env, options),
  };
}

/** @throws {ConfigurationError} when a credential would go out unencrypted to another machine */
function refuseClearText(baseUrl: string, allowed: boolean): void {
  if (allowed || baseUrl.startsWith("https:") || isLoopback(baseUrl)) return;
  throw new ConfigurationError(
    `Cannot send the credential to ${baseUrl}: plain http shows it to every machine on the way; ` +
      "use https, or set QUOTES_ALLOW_HTTP=1 in a network of your own",
  );
}

function clockFrom(moment: number | undefined): () => number {
  if (moment === undefined) return Date.now;
  const ahead = moment - Date.now();
  return () => Date.now() + ahead;
}

/**
 * The same settings as environment variables, for a process that renders: all that pages may know.
 *
 * The credential is not among them: no page and no island has any use for it.
 */
export function renderEnvironment(settings: Settings): Record<string, string> {
  return {
    STATE_DIR: settings.stateDir,
    SITE_URL: settings.site.url,
    SITE_BASE: settings.site.base,
    SITE_LANGUAGE: settings.site.language,
    SITE_THEME: settings.site.theme,
    QUOTES_PLAN: settings.service.plan,
    VOTE_BASE_URL: settings.voteBaseUrl ?? VOTING_OFF,
  };
}

/** How the collection is dealt out to pages, as environment variables: a page that another deal leaves as it was, stays. */
export function dealEnvironment({ site }: Settings): Record<string, string> {
  return {
    SITE_PER_PAGE: String(site.perPage),
    SITE_QUOTE_PAGES: String(site.quotePages),
    SITE_MIN_TAG_QUOTES: String(site.minTagQuotes),
  };
}
