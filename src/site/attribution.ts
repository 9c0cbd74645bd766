/**
 * The attribution, which the terms of the service require on the free plan: it leads back to the service that the quotes of
 * the snapshot come from, unless the settings name another place.
 */
import { EMBEDDED, OWN, type SourceFact } from "../contract/facts.ts";
import type { Locale } from "../i18n/locale.ts";
import { FIXED_PATHS } from "../plan/index.ts";
import type { SiteConfig } from "../settings/site-config.ts";
import type { Settings } from "../settings/settings.ts";
import { openPublished } from "../snapshot/index.ts";
import { siteLocale, siteSettings } from "./settings.ts";

export interface AttributionTarget {
  /** Name of the service or of the owner; null for the embedded collection, which has none. */
  readonly name: string | null;
  /** Full address, or a path of the site without its base. */
  readonly url: string;
}

/** Text and addresses of the attribution in one language. */
export interface Attribution {
  readonly text: string;
  /** Full address, for feeds and files. */
  readonly url: string;
  /** The address in pages. */
  readonly href: string;
}

/** Whether a link leads to a page of this site. */
const isPath = (url: string): boolean => url.startsWith("/");

/** The section of `/about/` that names the sources of the embedded collection. */
const SOURCES = `${FIXED_PATHS.about}#sources`;

/**
 * @param source of the published snapshot; undefined when unknown
 * @returns null on the paid plan
 */
export function attributionTarget(
  { site, service }: Pick<Settings, "site" | "service">,
  source: SourceFact | undefined,
): AttributionTarget | null {
  if (service.plan === "paid") return null;
  if (isOwn(source)) {
    const { name, url } = site.attribution;
    return { name: name ?? site.title, url: url ?? FIXED_PATHS.about };
  }
  const url = site.attribution.url ?? originOf(source);
  const shown = url === null ? null : shownName(url);
  return { name: site.attribution.name ?? shown, url: url ?? SOURCES };
}

/**
 * Scheme, host and port of the service. Snapshots of older versions do not name the scheme.
 *
 * @returns null for the embedded collection and an own file, and where no source is known
 */
function originOf(source: SourceFact | undefined): string | null {
  if (source === undefined || source.host === EMBEDDED || isOwn(source)) return null;
  return new URL("/", source.origin ?? `https://${source.host}`).href;
}

/**
 * The host without its port and without `api.` and `www.`. A host with letters outside of ASCII stays in Punycode: other
 * letters may look like it.
 */
function shownName(url: string): string {
  return new URL(url).hostname.replace(/^(?:(?:api|www)\.)+(?=[^.]+\.)/, "");
}

/** Whether the quotes come from a file of the operator's own. */
const isOwn = (source: SourceFact | undefined): boolean => source?.host === OWN;

/** Whether the quotes come from the embedded collection; also where no source is known. */
export const isEmbedded = (source: SourceFact | undefined): boolean =>
  originOf(source) === null && !isOwn(source);

/** The name of the source that pages show: never its port or path; null for the embedded collection and an unnamed own file. */
export function sourceName(
  source: SourceFact | undefined,
  name: string | undefined,
): string | null {
  const origin = originOf(source);
  return name ?? (origin === null ? null : shownName(origin));
}

/** The fact `source` of the published snapshot. */
export function publishedSource(stateDir: string): SourceFact | undefined {
  using snapshot = openPublished(stateDir);
  return snapshot?.fact("source");
}

/** The attribution of the published snapshot; null on the paid plan. */
export function attributionOf(settings: Settings): AttributionTarget | null {
  return attributionTarget(settings, publishedSource(settings.stateDir));
}

/** The attribution in a language, with addresses below the site's; null on the paid plan. */
export function attributionIn(locale: Locale, settings: Settings): Attribution | null {
  const found = attributionOf(settings);
  return found && localised(found, locale, settings.site);
}

let target: AttributionTarget | null | undefined;

/** The attribution of this process; null on the paid plan. @param locale of its text */
export function attribution(locale: Locale = siteLocale()): Attribution | null {
  const settings = siteSettings();
  target = target === undefined ? attributionOf(settings) : target;
  return target && localised(target, locale, settings.site);
}

/** The attribution as files and scripts have it; null on the paid plan. @param locale of its text */
export function creditOf(locale?: Locale): Pick<Attribution, "text" | "url"> | null {
  const found = attribution(locale);
  return found && { text: found.text, url: found.url };
}

function localised(
  { name, url }: AttributionTarget,
  locale: Locale,
  site: Pick<SiteConfig, "url" | "base">,
): Attribution {
  const text = name === null ? locale.messages.sources : locale.fill("attribution", { name });
  if (!isPath(url)) return { text, url, href: url };
  const href = site.base + url.slice(1);
  return { text, url: new URL(href, site.url).href, href };
}
