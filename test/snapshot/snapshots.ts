/** Snapshots that harvests publish, and `npm run snapshots`. */
import { run as runSnapshots } from "../../src/commands/snapshots.ts";
import { settingsFor } from "../support/run/index.ts";
import { startHarvests } from "../support/service/index.ts";

const { signal } = new AbortController();

export const snapshotsIn =
  (stateDir: string) =>
  (...words: string[]) =>
    runSnapshots({ words, options: {}, settings: settingsFor("", stateDir), signal });

export type Snapshots = Awaited<ReturnType<typeof startSnapshots>>;

export async function startSnapshots(size: number) {
  const harvests = await startHarvests(size);
  /** Harvests, and returns the id of the snapshot that is published then. */
  const publish = async (): Promise<string> => (await harvests.run()).snapshot ?? "";
  return { ...harvests, publish, snapshots: snapshotsIn(harvests.stateDir) };
}
