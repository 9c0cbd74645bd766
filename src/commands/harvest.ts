/**
 * Service → snapshot: joins the client, the walk and the store, and decides what may be published.
 *
 * A harvest that was cut short merges what it has into the last whole snapshot and removes nothing.
 */
import { PublishRefused, StoppedEarly } from "../contract/errors.ts";
import type { HarvestResult, ReportHarvest } from "../contract/harvest-result.ts";
import { WalkFailed } from "../contract/refused-answer.ts";
import type { Settings } from "../settings/settings.ts";
import { publishPartial, publishWhole } from "./harvesting/publishing.ts";
import { readWhole } from "./harvesting/reading.ts";
import { withSession, type HarvestHow, type Session } from "./harvesting/session.ts";

export type { HarvestHow } from "./harvesting/session.ts";

/**
 * Harvests what the settings select and publishes it as a snapshot.
 *
 * @throws {StoppedEarly} when another run holds the state
 * @throws {PublishRefused} when too much would vanish; the last snapshot stays published
 * @throws {ServiceUnavailable} when the service gave nothing usable; the last snapshot stays published
 * @throws {ConfigurationError} when it refuses who we say we are
 */
export function harvest(
  settings: Settings,
  report: ReportHarvest,
  how: HarvestHow,
): Promise<HarvestResult> {
  return withSession(settings, report, how, harvestIn);
}

async function harvestIn(session: Session): Promise<HarvestResult> {
  try {
    return await wholeOrPart(session);
  } catch (error) {
    if (error instanceof WalkFailed) session.run.end("failed");
    if (error instanceof PublishRefused) session.run.end("refused");
    throw error;
  }
}

async function wholeOrPart(session: Session): Promise<HarvestResult> {
  try {
    return await publishWhole(session, await readWhole(session));
  } catch (error) {
    if (!(error instanceof StoppedEarly)) throw error;
    return await publishPartial(session, error);
  }
}
