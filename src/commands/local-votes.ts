/**
 * Voting on one's own machine with no configuration: the embedded service, at the address that the pages name.
 *
 * Its votes last as long as the command that started it.
 */
import { ConfigurationError } from "../contract/errors.ts";
import { startService, type RunningService } from "../service/start.ts";
import type { Settings } from "../settings/settings.ts";
import { isLoopback } from "../settings/vote-target.ts";
import { say } from "./program.ts";

/**
 * Does `work` while votes can be cast, where it is the embedded service that they go to.
 *
 * @param site origin whose pages may read the answers
 */
export async function withLocalVotes<T>(
  settings: Settings,
  site: string,
  work: () => Promise<T>,
): Promise<T> {
  const { service, voteBaseUrl } = settings;
  if (service.baseUrl !== null || voteBaseUrl === null || !isLoopback(voteBaseUrl)) return work();
  const votes = await startAt(voteBaseUrl, site);
  try {
    return await work();
  } finally {
    await votes?.close();
  }
}

/** Null where another program has the port: perhaps it is the service, and perhaps voting will not work. */
async function startAt(address: string, site: string): Promise<RunningService | null> {
  const { hostname, port } = new URL(address);
  try {
    return await startService({ host: hostname, port: Number(port || 80), cors: site });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    say(`Votes go to whatever answers at ${address}: ${error.message}`);
    return null;
  }
}
