/**
 * Drift for real (docs/walk.md, section 10): the embedded service over a socket, its collection changed before each answer, every
 * version that it held written to a journal; the harvest killed between windows by the end of its client.
 *
 * `SOCKET_SCHEDULES=200 npx vitest run test/harvest/drift/socket.test.ts` tries more schedules.
 */
import { expect, onTestFinished, test } from "vitest";
import { harvest } from "../../../src/commands/harvest.ts";
import { isComplete } from "../../../src/contract/harvest-result.ts";
import { startService, type RunningService } from "../../../src/service/start.ts";
import { openPublished } from "../../../src/snapshot/index.ts";
import { collectionOf, wireQuote } from "../../support/service/index.ts";
import { settingsFor, tempFolder, seeded } from "../../support/run/index.ts";

const SCHEDULES = Number(process.env["SOCKET_SCHEDULES"] ?? 8);
const SIZE = 400;

/** What the service held, from the first request on. */
class Journal {
  readonly versions = new Map<number, Set<string>>();
  readonly throughout = new Set<number>();
  requests = 0;

  note(pk: number, quote: string): void {
    this.versions.set(pk, (this.versions.get(pk) ?? new Set()).add(quote));
  }
}

/** A service that changes before each of its answers: half a change of each kind, and two votes. */
async function chaos(seed: number) {
  const random = seeded(seed);
  const journal = new Journal();
  const quotes = collectionOf(SIZE).map((quote) => ({ ...quote, curated: false }));
  for (const { pk, quote } of quotes) {
    journal.note(pk, quote);
    journal.throughout.add(pk);
  }
  const alive = (): number => {
    const known = [...journal.versions.keys()];
    return known[Math.floor(random() * known.length)] ?? 1;
  };
  let newest = SIZE;
  const service: RunningService = await startService({
    quotes,
    maxLimit: 20,
    onRequest: () => {
      journal.requests++;
      if (random() < 0.5) {
        const added = { ...wireQuote(++newest), curated: false };
        if (service.store.insert([added]) === 1) journal.note(added.pk, added.quote);
      }
      if (random() < 0.5) {
        const gone = alive();
        service.store.delete(gone);
        journal.throughout.delete(gone);
      }
      if (random() < 0.5) {
        const changed = alive();
        const quote = `Sentence ${Math.floor(random() * 1e6)} in place of another.`;
        if (service.store.edit(changed, { quote })) journal.note(changed, quote);
      }
      service.store.vote(alive(), 1);
      service.store.vote(alive(), -1);
    },
  });
  onTestFinished(() => service.close());
  return { service, journal };
}

test(`the embedded service changing all the while: nothing lost, nothing invented, ${SCHEDULES} times`, async () => {
  for (let seed = 1; seed <= SCHEDULES; seed++) {
    const { service, journal } = await chaos(seed);
    const stateDir = tempFolder();
    const settings = settingsFor(service.url, stateDir, { concurrency: 1 + (seed % 4) });
    // Ended between windows, three times, and begun again: only the chain has to hold at the end (§3).
    for (const calls of [6, 7, 8]) {
      const stop = new AbortController();
      const report = (event: { readonly kind: string }): void => {
        if (event.kind === "call" && --left <= 0) stop.abort(new Error("stopped for the test"));
      };
      let left = calls;
      await expect(harvest(settings, report, { signal: stop.signal })).rejects.toThrow("stopped");
    }
    const { signal } = new AbortController();
    const { harvest: fact } = await harvest(settings, () => undefined, { signal });
    expect(isComplete(fact.label)).toBe(true);
    const snapshot = openPublished(stateDir);
    const got = new Map([...(snapshot?.all() ?? [])].map(({ id, text }) => [id, text]));
    snapshot?.close();
    expect([...journal.throughout].filter((pk) => !got.has(pk))).toEqual([]);
    expect([...got].filter(([pk, text]) => !journal.versions.get(pk)?.has(text))).toEqual([]);
  }
}, 600_000);
