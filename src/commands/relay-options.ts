/** The relay's options, from the settings: the same on Node and on an edge host. */
import { askedWaitMs } from "../client/wait/throttle-wait.ts";
import { ConfigurationError } from "../contract/errors.ts";
import { voiceOf } from "../i18n/voice.ts";
import { voteMessages } from "../i18n/vote.ts";
import type { RelayOptions } from "../relay/relay.ts";
import type { Settings } from "../settings/settings.ts";

/** @throws {ConfigurationError} when no service is named */
export function relayOptions(
  settings: Settings,
  host: Pick<RelayOptions, "addressOf" | "onFault">,
): RelayOptions {
  const { service, site, relay } = settings;
  if (service.baseUrl === null) {
    throw new ConfigurationError("Cannot relay votes: QUOTES_BASE_URL is not set");
  }
  const voice = voiceOf(site.language, "en");
  const { tag: lang, dir } = voice.language;
  return {
    ...host,
    service: {
      baseUrl: service.baseUrl,
      token: service.token,
      scheme: service.tokenScheme,
      askedWaitMs,
    },
    siteUrl: site.url + site.base,
    perAddress: relay.perAddress,
    total: relay.total,
    reports: relay.reports,
    words: { ...voteMessages(voice.code).states, lang, dir, back: voice.messages.backHome },
  };
}
