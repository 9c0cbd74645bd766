/**
 * The relay on an edge host: the default export is the handler; the bindings of the host are the variables.
 *
 * Without `RELAY_PROXIES` all readers share one quota: set it to 1 where the host itself appends to `X-Forwarded-For`. Each
 * instance has its own limits.
 */
import { relayOptions } from "../src/commands/relay-options.ts";
import { clientAddress } from "../src/util/network.ts";
import { createRelay, type Relay } from "../src/relay/relay.ts";
import { readSettings } from "../src/settings/settings.ts";
import type { Environment } from "../src/settings/sources.ts";

let relay: Relay | undefined;

function start(bindings: Environment): Relay {
  const settings = readSettings({}, bindings);
  const log = (line: string): void => console.error(line);
  if (settings.relay.proxies === 0) log("All readers share one quota: RELAY_PROXIES is 0");
  return createRelay(
    relayOptions(settings, {
      onFault: log,
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
