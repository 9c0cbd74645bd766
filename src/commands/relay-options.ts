/** Options of the relay from the settings, for Node and for an edge host. */
import { ConfigurationError } from "../contract/errors.ts";
import { localeOf, translationOf } from "../i18n/locale.ts";
import { isBadPort } from "../relay/bad-ports.ts";
import type { RelayOptions } from "../relay/relay.ts";
import type { Settings } from "../settings/settings.ts";

/** @throws {ConfigurationError} when no service is named, or one that `fetch` cannot reach */
export function relayOptions(
  settings: Settings,
  host: Pick<RelayOptions, "addressOf" | "onFault">,
): RelayOptions {
  const { service, site, relay } = settings;
  if (service.baseUrl === null) {
    throw new ConfigurationError("Cannot relay votes: QUOTES_BASE_URL is not set");
  }
  if (isBadPort(service.baseUrl)) {
    throw new ConfigurationError(
      `Cannot relay votes to ${service.baseUrl}: fetch never connects to a port of another protocol; serve it at another port, such as 8080`,
    );
  }
  const locale = localeOf(site.language, "en");
  const { tag: lang, dir } = locale.language;
  return {
    ...host,
    service: { baseUrl: service.baseUrl, token: service.token, scheme: service.tokenScheme },
    siteUrl: site.url + site.base,
    perAddress: relay.perAddress,
    total: relay.total,
    reports: relay.reports,
    words: { ...translationOf(locale.code).vote.states, lang, dir, back: locale.messages.backHome },
  };
}
