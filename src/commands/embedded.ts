/** Starts the embedded service where the settings name no service: for a harvest, and for votes in `dev` and `preview`. */
import { ConfigurationError } from "../contract/errors.ts";
import { isLoopback, type Settings } from "../settings/settings.ts";
import { log } from "./program.ts";

/** The origin of its pictures: a host that does not exist (RFC 2606), because its port differs in each run. */
export const EMBEDDED_ORIGIN = "http://embedded.invalid";

/** Calls `work` with the address of the embedded service, or with undefined where the settings name a service. */
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
 * Calls `work` with the embedded service running at the vote address, if votes go there. It forgets the votes afterwards.
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
  // An IPv6 address has brackets in a URL, and none in a socket.
  const host = hostname.replace(/^\[|\]$/g, "");
  const started = startService({ host, port: Number(port || 80), cors: site });
  const votes = await started.catch((error: unknown) => {
    // Another program has the port, which may or may not accept votes.
    if (!(error instanceof ConfigurationError)) throw error;
    log(`Votes go to the program that answers at ${voteBaseUrl}: ${error.message}`);
    return null;
  });
  return work().finally(() => votes?.close());
}
