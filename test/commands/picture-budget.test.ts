/** `--max-requests` is a ceiling on all that one host is sent: quotes and pictures draw on one ledger. */
import { expect, test } from "vitest";
import { makePictures, withPictureBudget } from "../../src/commands/pictures.ts";
import { takeLock } from "../../src/snapshot/lock.ts";
import { openLedger } from "../../src/snapshot/work/ledger.ts";
import { openWork } from "../../src/snapshot/work/work.ts";
import { startHarvests } from "../support/service/index.ts";
import { text } from "../support/http/index.ts";
import { settingsFor, tempFolder } from "../support/run/index.ts";

const signal = new AbortController().signal;
const how = { signal, say: () => undefined, embeddedUrl: undefined, network: true };

/** A collection of which ten quotes have a picture at the service itself. */
async function beginWithPictures() {
  const harvests = await startHarvests(60);
  harvests.service.quotes = harvests.service.quotes.map((quote) =>
    quote.pk <= 10
      ? { ...quote, image: `${harvests.service.url}/pictures/${quote.pk}.png` }
      : quote,
  );
  harvests.service.fault = ({ url }) =>
    url.pathname.startsWith("/pictures/") ? text("Not found", 404) : null;
  const settings = (maxRequests: number) => ({
    ...settingsFor(harvests.service.url, harvests.stateDir, { maxRequests }),
    outDir: tempFolder(),
  });
  return { ...harvests, settings };
}

test("pictures of the service take what the harvest left of the budget, and no more", async () => {
  const { service, run, settings } = await beginWithPictures();
  await run({ maxRequests: 20 });
  const harvested = service.journal.length;
  expect(harvested).toBeLessThan(18);
  await makePictures(settings(harvested + 3), how);
  expect(service.journal.length).toBe(harvested + 3);
});

test("what a killed picture stage sent counts in the run that is started again", async () => {
  const { service, run, settings, stateDir } = await beginWithPictures();
  await run({ maxRequests: 20 });
  const harvested = service.journal.length;
  // Killed: the ledger goes on and is never closed.
  const work = openWork(stateDir);
  const ledger = openLedger(work, new URL(service.url).host, Date.now, 1, true);
  for (let picture = 0; picture < 4; picture++) ledger.countRequest();
  work.close();
  await makePictures(settings(harvested + 6), how);
  expect(service.journal.length).toBe(harvested + 2);
});

test("nothing is sent before the time that the service named, or while another run has the ledger", async () => {
  const settings = settingsFor("http://quotes.example", tempFolder());
  const isAllowed = () =>
    withPictureBudget(settings, ({ mayRequest }) => Promise.resolve(mayRequest()));
  const lock = takeLock(settings.stateDir);
  expect(await isAllowed()).toBe(false);
  lock[Symbol.dispose]();
  expect(await isAllowed()).toBe(true);
  const work = openWork(settings.stateDir);
  openLedger(work, "quotes.example", Date.now, 1).postpone(Date.now() + 60_000);
  work.close();
  expect(await isAllowed()).toBe(false);
});
