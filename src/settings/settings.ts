/**
 * The settings of a run as one checked value. An option overrides its environment variable, which overrides `site/config.ts`.
 *
 * Stages do not read the environment: they receive the settings that they need.
 */
import { join, resolve } from "node:path";
import { ConfigurationError } from "../contract/errors.ts";
import { isLoopbackName } from "../util/network.ts";
import type { Selection } from "../contract/window.ts";
import { readSiteConfig, type SiteConfig } from "./site-config.ts";
import {
  readEnvironment,
  secretsIn,
  SETTING_KEYS,
  settingOf,
  type Environment,
  type Known,
  type Values,
} from "./sources.ts";
import { SETTINGS, VOTING_OFF, type Setting, type SettingKey } from "./table.ts";

export type Settings = Readonly<ReturnType<typeof readSettings>>;

/** The largest collection that a harvest reads, and the largest file that it works in, in bytes. */
const LARGEST = { maxQuotes: 5_000_000, maxWorkBytes: 8e9 };

/** Joins the three sources into one value. */
export function readSettings(options: Values, env: Environment, config: unknown = {}) {
  const variables = readEnvironment(env);
  const value = <K extends SettingKey>(key: K): Known<K> => settingOf(key, options, variables);
  const address = value("QUOTES_BASE_URL");
  const baseUrl = address?.url ?? null;
  const token = value("QUOTES_TOKEN") ?? null;
  const own = readSiteConfig(config);
  const data = value("QUOTES_DATA") ?? own.data ?? null;
  if (baseUrl !== null && data !== null) refuseTwoSources(variables.QUOTES_DATA !== undefined);
  if (token !== null && baseUrl !== null) {
    refuseClearText(baseUrl, value("QUOTES_ALLOW_HTTP") ?? false);
  }
  const votes = value("VOTE_BASE_URL");
  const stateDir = resolve(value("STATE_DIR"));
  const bundles = value("BUNDLE_DIR") ?? join(stateDir, "bundle");
  const site: SiteConfig = {
    ...own,
    ...overridesOf(options, variables),
    attribution: {
      name: value("ATTRIBUTION_NAME") ?? own.attribution.name,
      url: value("ATTRIBUTION_URL") ?? own.attribution.url,
    },
  };
  return {
    service: {
      /** Without a slash at the end; null for the embedded service, and for an own file. */
      baseUrl,
      /** The address as it was given, without its query, where the paths of the service were cut off; else null. */
      cutFrom: address?.cutFrom ?? null,
      /** Absolute path of the operator's own file of quotes; null without one. */
      data: data === null ? null : resolve(data),
      token,
      tokenScheme: value("QUOTES_TOKEN_SCHEME"),
      plan: value("QUOTES_PLAN"),
    },
    proxies: {
      http: value("HTTP_PROXY") ?? null,
      https: value("HTTPS_PROXY") ?? null,
      none: value("NO_PROXY") ?? "",
    },
    selection: {
      languages: value("QUOTES_LANGUAGES") ?? [],
      tags: value("QUOTES_TAGS") ?? [],
      curated: value("QUOTES_CURATED") ?? false,
    } satisfies Selection,
    walk: {
      /** Quotes to request at once; null when the harvest decides. */
      pageSize: value("QUOTES_PAGE_SIZE") ?? null,
      /** Requests in flight, 1 to 4. */
      concurrency: value("QUOTES_CONCURRENCY"),
      /** Hard ceiling on requests; null for none. */
      maxRequests: value("QUOTES_MAX_REQUESTS") ?? null,
      maxWaitMs: value("QUOTES_MAX_WAIT") * 1_000,
      patience: {
        firstMs: value("QUOTES_FIRST_WAIT") * 1_000,
        unreachableMs: 10_000,
        silenceMs: value("QUOTES_MAX_SILENCE") * 1_000,
      },
      timeouts: {
        connectMs: value("QUOTES_CONNECT_TIMEOUT") * 1_000,
        headersMs: value("QUOTES_HEADERS_TIMEOUT") * 1_000,
        bodyIdleMs: value("QUOTES_IDLE_TIMEOUT") * 1_000,
        totalMs: value("QUOTES_TIMEOUT") * 1_000,
      },
      /** Share of the records that may be unreadable, from 0 to 1. */
      maxUnreadable: value("QUOTES_MAX_UNREADABLE") / 100,
      ...LARGEST,
      allowShrink: value("allowShrink") ?? false,
      allowPartial: value("allowPartial") ?? false,
    },
    site,
    /** The day of the quotes of the day, `YYYY-MM-DD`; null for the day of the build, in UTC. */
    date: value("SITE_DATE") ?? null,
    /** Clock in milliseconds since the epoch; it starts at `SITE_NOW` where that is set. */
    now: clockFrom(value("SITE_NOW")),
    /** Where votes go: the base address of the service or the relay, without a slash at its end; null when voting is off. */
    voteBaseUrl:
      votes === VOTING_OFF ? null : (votes ?? voteTarget({ baseUrl, token, data }, site.url)),
    /** Whether voting is off only because the service needs a credential. */
    votesNeedRelay: votes === undefined && baseUrl !== null && token !== null,
    relay: {
      host: value("RELAY_HOST"),
      port: value("RELAY_PORT"),
      perAddress: value("RELAY_QUOTA"),
      total: value("RELAY_TOTAL"),
      reports: value("RELAY_REPORTS"),
      /** Number of trusted proxies, for `X-Forwarded-For`. */
      proxies: value("RELAY_PROXIES"),
    },
    /** Absolute. */
    stateDir,
    /** Folder of kept bundles, absolute; null when none is kept. */
    bundleDir: bundles === "off" ? null : resolve(bundles),
    /** Absolute. */
    outDir: resolve(value("out")),
    /** Whether folders that no build made are accepted. */
    adopt: value("adopt") ?? false,
    shard: value("SITE_SHARD") ?? null,
    /** Size of a drawn collection to plan for; null for that of the service. */
    planQuotes: value("planQuotes") ?? null,
    ci: {
      annotations: value("GITHUB_ACTIONS") ?? false,
      summaryFile: value("GITHUB_STEP_SUMMARY") ?? null,
    },
    output: { quiet: value("quiet") ?? false },
    /** Values that must never be printed or written. */
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

/** @throws {ConfigurationError} always: a snapshot has one source */
function refuseTwoSources(isVariable: boolean): never {
  const name = isVariable ? "QUOTES_DATA" : "`data` of site/config.ts";
  throw new ConfigurationError(
    `Cannot use QUOTES_BASE_URL and ${name} together: a site has one source of quotes; remove one of them`,
  );
}

/** Default address of the embedded service in `serve`, `dev` and `preview`. */
const LOCAL_SERVICE = "http://127.0.0.1:8080";

/**
 * The default of `VOTE_BASE_URL`: the service itself, or null.
 *
 * A browser cannot hold a credential, so voting is off where the service needs one. The embedded service ends with the build:
 * only a site on this machine can send votes there, after `dev` or `preview` has started the service again. Nothing counts
 * the votes for a file.
 */
function voteTarget(
  { baseUrl, token, data }: Readonly<Record<"baseUrl" | "token" | "data", string | null>>,
  siteUrl: string,
): string | null {
  if (data !== null) return null;
  if (baseUrl === null) return isLoopback(siteUrl) ? LOCAL_SERVICE : null;
  return token === null ? baseUrl : null;
}

export function isLoopback(address: string): boolean {
  return isLoopbackName(new URL(address).hostname);
}

function clockFrom(moment: number | undefined): () => number {
  if (moment === undefined) return Date.now;
  const ahead = moment - Date.now();
  return () => Date.now() + ahead;
}

/** Settings that override a key of `site/config.ts`. */
const OVERRIDES = SETTING_KEYS.flatMap((key) => {
  const { config }: Setting = SETTINGS[key];
  return config === undefined ? [] : [{ key, config }];
});

function overridesOf(options: Values, variables: Values): Partial<SiteConfig> {
  const given = OVERRIDES.map(({ key, config }) => [config, options[key] ?? variables[key]]);
  return Object.fromEntries(
    given.filter(([, value]) => value !== undefined),
  ) as Partial<SiteConfig>;
}

/** The settings that pages need, as environment variables of a process that renders. The credential is not among them. */
export function renderEnvironment(settings: Settings): Record<string, string> {
  const { site, shard, bundleDir } = settings;
  const now = new Date(settings.now()).toISOString();
  const overrides = OVERRIDES.map(({ key, config }): [string, string] => {
    const value = site[config];
    return [key, String(typeof value === "boolean" ? Number(value) : value)];
  });
  return {
    ...Object.fromEntries(overrides),
    ...devEnvironment(settings),
    BUNDLE_DIR: bundleDir ?? "off",
    ATTRIBUTION_NAME: site.attribution.name ?? "",
    ATTRIBUTION_URL: site.attribution.url ?? "",
    SITE_DATE: settings.date ?? now.slice(0, 10),
    SITE_NOW: now,
    SITE_SHARD: shard === null ? "" : `${shard.index}/${shard.count}`,
  };
}

/** Variables of a dev server. It reads `site/config.ts` again after each change, so keys of that file are left out. */
export function devEnvironment({ stateDir, service, voteBaseUrl }: Settings) {
  return {
    STATE_DIR: stateDir,
    QUOTES_PLAN: service.plan,
    VOTE_BASE_URL: voteBaseUrl ?? VOTING_OFF,
  };
}
