/** `npm run relay`: forwards votes and reports of readers with the credential. */
import type { HttpBindings } from "@hono/node-server";
import { clientAddress, urlHostname } from "../util/network.ts";
import { createRelay, type Relay } from "../relay/relay.ts";
import { HTTP_LIMITS, listen } from "../http/server.ts";
import { log, untilStopped, type Outcome, type ProgramContext } from "./program.ts";
import { relayOptions } from "./relay-options.ts";

const GRACE_MS = 3_000;
const REPORT_EVERY_MS = 60_000;

/** A reader needs one or two connections; readers behind a shared address need a few dozen. */
const CONNECTIONS = { perAddress: 50, perNetwork: HTTP_LIMITS.connections / 10 };

export async function run({ settings, signal }: ProgramContext): Promise<Outcome> {
  const { host, port, proxies } = settings.relay;
  const report = settings.output.quiet ? () => undefined : log;
  const options = relayOptions(settings, {
    onFault: report,
    addressOf: (request, env) => {
      const peer = (env as HttpBindings).incoming.socket.remoteAddress ?? "";
      return clientAddress(peer, request.headers.get("X-Forwarded-For"), proxies);
    },
  });
  const relay = createRelay(options);
  const listening = await listen(host, port, {
    ...HTTP_LIMITS,
    requestsPerConnection: 1,
    // Behind a proxy all connections come from its address.
    ...(proxies === 0 && {
      connectionsPerAddress: CONNECTIONS.perAddress,
      connectionsPerNetwork: CONNECTIONS.perNetwork,
    }),
  });
  listening.serve(async (request, env) => {
    const response = await relay.fetch(request, env);
    // A browser repeats a POST when a reused connection dies, so no connection is reused.
    response.headers.set("Connection", "close");
    return response;
  });
  process.stdout.write(
    `Relaying votes of ${new URL(options.siteUrl).origin} to ${options.service.baseUrl} at http://${urlHostname(host)}:${listening.port}/\n`,
  );
  let last = lineOf(relay.counts);
  const reporter = setInterval(() => {
    const line = lineOf(relay.counts);
    if (line !== last) report(line);
    last = line;
  }, REPORT_EVERY_MS);
  await untilStopped(signal);
  clearInterval(reporter);
  await listening.close(GRACE_MS);
  report(lineOf(relay.counts));
  return {};
}

function lineOf({ passedOn, refused, throttled, failed }: Relay["counts"]): string {
  return `${passedOn} passed on, ${refused} refused, ${throttled} throttled, ${failed} failed`;
}
