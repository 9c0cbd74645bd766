/** One service and one state folder, to be harvested again and again. */
import { harvest } from "../../../src/commands/harvest.ts";
import type { Settings } from "../../../src/settings/settings.ts";
import { collectionOf } from "./collection.ts";
import { serviceOf } from "./service-of.ts";
import { settingsFor, tempFolder } from "../run/index.ts";
import { publishedIn } from "../snapshot/published.ts";

const { signal } = new AbortController();

export type Harvests = Awaited<ReturnType<typeof startHarvests>>;

export async function startHarvests(size: number, cap = 20) {
  const service = await serviceOf(collectionOf(size), cap);
  const stateDir = tempFolder();
  return {
    service,
    stateDir,
    run: (walk: Partial<Settings["walk"]> = {}, more: Partial<Settings> = {}) =>
      harvest({ ...settingsFor(service.url, stateDir, walk), ...more }, () => undefined, {
        signal,
      }),
    keys: () => publishedIn(stateDir).map(({ id }) => id),
  };
}
