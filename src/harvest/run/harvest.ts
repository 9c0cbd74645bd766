/**
 * Harvests: service → snapshot. Joins the client, the walk and the snapshot, and decides what may be published.
 *
 * A harvest that is cut short adds its quotes to the last complete snapshot and removes nothing.
 */
import { FilterIgnored, PublishRefused, StoppedEarly, WalkFailed } from "../../contract/errors.ts";
import type { HarvestResult } from "../../contract/results.ts";
import { publishPartial, publishWhole } from "./publishing.ts";
import { readWhole } from "./reading.ts";
import { openSession, withHost, type HarvestOptions } from "./session.ts";

/**
 * Harvests the quotes of the selection and publishes them as a snapshot. After a failure the last snapshot stays published.
 *
 * @throws {StoppedEarly} when another run holds the state
 * @throws {PublishRefused} when too many quotes would be removed
 * @throws {ServiceUnavailable} when the service gave no usable answers
 * @throws {ConfigurationError} when it refuses the credential
 */
export function harvest(options: HarvestOptions): Promise<HarvestResult> {
  return withHost(options, async (host) => {
    const session = openSession(host);
    const { run } = session;
    try {
      return await readWhole(session)
        .then((whole) => publishWhole(session, whole))
        .catch((error: unknown) => {
          if (error instanceof StoppedEarly) return publishPartial(session, error);
          throw error;
        });
    } catch (error) {
      if (error instanceof WalkFailed || error instanceof FilterIgnored) run.end("failed");
      if (error instanceof PublishRefused) run.end("refused");
      throw error;
    } finally {
      run.saveCounts(host.counts());
    }
  });
}
