/** A quotes service over a real socket, and a state folder that is harvested from it. */
import { onTestFinished } from "vitest";
import { harvest } from "../../../src/harvest/index.ts";
import type { WireQuote } from "../../../src/contract/quote.ts";
import type { Settings } from "../../../src/settings/settings.ts";
import { type Call, type FaultServer, json, type Reply, startFaultServer } from "../http/index.ts";
import { settingsFor, tempFolder } from "../run/index.ts";
import { publishedIn } from "../snapshot/published.ts";
import { answer, collectionOf } from "./collection.ts";

export * from "./collection.ts";

interface TestService extends FaultServer {
  quotes: WireQuote[];
  /** Given a call, what to answer in place of the truth; null for the truth. */
  fault: (call: Call) => Reply | null;
}

/** A whole service over a collection that a test may change, with a journal and faults at will. */
export async function serviceOf(quotes: WireQuote[], cap = 20): Promise<TestService> {
  const state = { quotes, fault: (_call: Call): Reply | null => null };
  const server = await startFaultServer(
    (call) => state.fault(call) ?? json(answer(state.quotes, call.url, { cap })),
  );
  onTestFinished(() => server.close());
  return Object.assign(state, server);
}

export type Harvests = Awaited<ReturnType<typeof startHarvests>>;

/** One service and one state folder, to be harvested again and again. */
export async function startHarvests(size: number, cap = 20) {
  const service = await serviceOf(collectionOf(size), cap);
  const stateDir = tempFolder();
  const { signal } = new AbortController();
  return {
    service,
    stateDir,
    run: (walk: Partial<Settings["walk"]> = {}, more: Partial<Settings> = {}) =>
      harvest({ settings: { ...settingsFor(service.url, stateDir, walk), ...more }, signal }),
    keys: () => publishedIn(stateDir).map(({ id }) => id),
  };
}
