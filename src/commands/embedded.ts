/** The embedded service, where the settings name no other: for a harvest, and for votes in `dev` and `preview`. */
import { ConfigurationError } from "../contract/errors.ts";
import { isLoopback, type Settings } from "../settings/settings.ts";
import { log } from "./program.ts";

/**
 * Where its pictures say they are: a host that does not exist (RFC 2606), so that their addresses stay the same while
 * its port does not.
 */
export const EMBEDDED_ORIGIN = "http://embedded.invalid";

/** Does `work` with the address of an embedded service, or with undefined where the settings name a service. */
export async function withService<T>(
  settings: Settings,
  work: (embeddedUrl: string | undefined) => Promise<T>,
): Promise<T> {
  if (settings.service.baseUrl !== null) return work(undefined);
  const { startService } = await import("../service/start.ts");
  const service = await startService({ publicUrl: EMBEDDED_ORIGIN });
  return work(service.url).finally(() => service.close());
}

/**
 * Does `work` while votes can be cast, where they go to an embedded service: they last as long as `work`.
 *
 * @param site origin whose pages may read the answers
 */
export async function withLocalVotes<T>(
  { service, voteBaseUrl }: Settings,
  site: string,
  work: () => Promise<T>,
): Promise<T> {
  if (service.baseUrl !== null || voteBaseUrl === null || !isLoopback(voteBaseUrl)) return work();
  const { startService } = await import("../service/start.ts");
  const { hostname, port } = new URL(voteBaseUrl);
  // A socket takes an IPv6 address without the brackets that a URL has.
  const host = hostname.replace(/^\[|\]$/g, "");
  const started = startService({ host, port: Number(port || 80), cors: site });
  const votes = await started.catch((error: unknown) => {
    // Another program has the port: perhaps it is the service, and perhaps voting will not work.
    if (!(error instanceof ConfigurationError)) throw error;
    log(`Votes go to the program that answers at ${voteBaseUrl}: ${error.message}`);
    return null;
  });
  return work().finally(() => votes?.close());
}
