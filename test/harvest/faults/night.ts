/**
 * One night against a small collection: serves the collection itself, harvests it and publishes. As a process of its
 * own it can be killed anywhere; its arguments are the state folder and the number of the night.
 */
import { harvest } from "../../../src/harvest/index.ts";
import { Refusal } from "../../../src/contract/errors.ts";
import { toWire, type WireQuote } from "../../../src/contract/quote.ts";
import { readSettings } from "../../../src/settings/settings.ts";
// Not through their index, which needs the runner of the tests.
import { startFaultServer } from "../../support/http/fault-server.ts";
import { json } from "../../support/http/replies.ts";
import { answer, wireQuote } from "../../support/service/collection.ts";
import { publishedIn } from "../../support/snapshot/published.ts";

const SIZE = 150;

/** Another collection each night: some quotes gone, some new, some changed. */
export function collectionAt(night: number): WireQuote[] {
  return Array.from({ length: SIZE }, (_, at) => at + 1 + 3 * night).map((pk) =>
    pk % 10 === night % 10 ? wireQuote(pk, { likes: 100 + night }) : wireQuote(pk),
  );
}

/** What is published, as the collection that was served. */
export const published = (state: string): WireQuote[] => publishedIn(state).map(toWire);

export const programOf = (state: string, night: number): string[] => [
  ...["--disable-warning=ExperimentalWarning", import.meta.filename, state, String(night)],
];

export async function harvestNight(state: string, night: number): Promise<number> {
  const quotes = collectionAt(night);
  const server = await startFaultServer(({ url }) => json(answer(quotes, url, { cap: 25 })));
  // The host must be the same each night, though the port is not.
  const settings = readSettings({ STATE_DIR: state }, {});
  const how = { signal: new AbortController().signal, embeddedUrl: server.url };
  try {
    const result = await harvest({ settings, ...how });
    return result.exitStatus;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.exitStatus;
  } finally {
    await server.close();
  }
}

const [, program, state = "", night = "0"] = process.argv;
if (program === import.meta.filename) process.exitCode = await harvestNight(state, Number(night));
