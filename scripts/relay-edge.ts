/**
 * The relay on an edge host: this file's default export is the handler, the host's bindings are its variables.
 *
 * The host is the one proxy in front unless `RELAY_PROXIES` says otherwise. Each instance has limits of its own.
 */
import { relayOptions } from "../src/commands/relay-options.ts";
import { clientAddress } from "../src/relay/limit/address.ts";
import { createRelay, type Relay } from "../src/relay/relay.ts";
import { readSettings } from "../src/settings/settings.ts";
import type { Environment } from "../src/settings/sources.ts";
import { siteConfig } from "../src/site.config.ts";

let relay: Relay | undefined;

function start(bindings: Environment): Relay {
  const settings = readSettings({}, { RELAY_PROXIES: "1", ...bindings }, siteConfig);
  return createRelay(
    relayOptions(settings, {
      onFault: (line) => console.error(line),
      addressOf: (request) =>
        clientAddress("edge", request.headers.get("X-Forwarded-For"), settings.relay.proxies),
    }),
  );
}

export default {
  fetch(request: Request, bindings: Environment): Response | Promise<Response> {
    relay ??= start(bindings);
    return relay.fetch(request);
  },
};
