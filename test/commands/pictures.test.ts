/** Pictures of the service: one host, one ledger with the harvest, one ceiling, and one time before which nothing is sent. */
import { expect, test } from "vitest";
import { makePictures } from "../../src/commands/pictures.ts";
import { withPictureBudget } from "../../src/images/budget.ts";
import { takeLock } from "../../src/snapshot/lock.ts";
import { openLedger } from "../../src/snapshot/work/ledger.ts";
import { openIntactWork } from "../../src/snapshot/recover.ts";
import { startHarvests } from "../support/service/index.ts";
import { json, type Reply, text, throttled } from "../support/http/index.ts";
import { settingsFor, tempFolder } from "../support/run/index.ts";

const signal = new AbortController().signal;
const how = { signal, showProgress: () => undefined, embeddedUrl: undefined, network: true };

const PICTURES = 40;
/** Pictures that are asked for at once: those were on their way. */
const IN_FLIGHT = 8;

/** A harvested service of 60 quotes, some with a picture at the service itself, which all get the same answer. */
async function beginWith(reply: Reply) {
  const harvests = await startHarvests(60);
  const { service, stateDir } = harvests;
  service.quotes = service.quotes.map((quote) =>
    quote.pk <= PICTURES ? { ...quote, image: `${service.url}/pictures/${quote.pk}.png` } : quote,
  );
  await harvests.run();
  service.fault = ({ url }) => (url.pathname.startsWith("/pictures/") ? reply : null);
  const asked = () => service.journal.filter(({ url }) => url.pathname.startsWith("/pictures/"));
  const host = new URL(service.url).host;
  /** When the first picture was asked for, and until when no request may be sent; milliseconds since the epoch. */
  const heldBack = () => {
    const work = openIntactWork(stateDir);
    const { notBefore, quota } = openLedger(work, host, Date.now);
    work.close();
    return { asked: asked()[0]?.at ?? Infinity, until: notBefore, quota };
  };
  /** @param maxRequests of the harvest and the pictures together */
  const make = (maxRequests: number | null = null) => {
    const settings = settingsFor(service.url, stateDir, { maxRequests });
    return makePictures({ ...settings, outDir: tempFolder() }, how);
  };
  return { ...harvests, host, asked, heldBack, make };
}

test("pictures of the service take what the harvest left of the budget, and no more", async () => {
  const { service, make } = await beginWith(text("Not found", 404));
  const harvested = service.journal.length;
  await make(harvested + 3);
  expect(service.journal.length).toBe(harvested + 3);
});

test("what a killed picture stage sent counts in the run that is started again", async () => {
  const { service, make, stateDir, host } = await beginWith(text("Not found", 404));
  const harvested = service.journal.length;
  // Killed: the ledger goes on and is never closed.
  const work = openIntactWork(stateDir);
  const ledger = openLedger(work, host, Date.now, true);
  for (let picture = 0; picture < 4; picture++) ledger.countRequest();
  work.close();
  await make(harvested + 6);
  expect(service.journal.length).toBe(harvested + 2);
});

test("nothing is sent before the time that the service named, or while another run has the ledger", async () => {
  const stateDir = tempFolder();
  const budget = { stateDir, service: "quotes.example", maxRequests: null, now: Date.now };
  const isAllowed = () =>
    withPictureBudget(budget, ({ mayRequest }) => Promise.resolve(mayRequest()));
  const lock = takeLock(stateDir);
  expect(await isAllowed()).toBe(false);
  lock[Symbol.dispose]();
  expect(await isAllowed()).toBe(true);
  const work = openIntactWork(stateDir);
  openLedger(work, "quotes.example", Date.now).postpone(Date.now() + 60_000);
  work.close();
  expect(await isAllowed()).toBe(false);
});

const AVAILABLE = { detail: "Request was throttled. Expected available in 2837.0 seconds." };

// A tenth at most is added.
test.each<[string, Reply, number]>([
  ["429 with a sentence", json(AVAILABLE, 429), 2_837_000],
  ["429 as a success", json({ errno: 429, errmsg: "too many requests" }), 60_000],
  ["503 with Retry-After", text("Busy", 503, { "retry-after": "90" }), 90_000],
])("%s moves the time before which no request is sent", async (_, reply, askedMs) => {
  const { make, asked, heldBack } = await beginWith(reply);
  const report = await make();
  expect(report.failed).toBe(PICTURES);
  expect(asked().length).toBeLessThanOrEqual(IN_FLIGHT);
  const { asked: first, until } = heldBack();
  expect(until).toBeGreaterThanOrEqual(first + askedMs);
  expect(until).toBeLessThanOrEqual(Date.now() + askedMs * 1.1);
});

test("neither pictures nor a harvest are asked for before that time", async () => {
  const { service, make, run, heldBack } = await beginWith(throttled({ "retry-after": "120" }));
  await make();
  expect(heldBack().quota).toMatchObject({ from: "refusals", periodMs: 120_000 });
  service.fault = () => null;
  const sent = service.journal.length;
  await make();
  const { stopped, resumeAt } = await run({ maxWaitMs: 1_000 });
  expect(stopped).toMatch(/^Cannot continue before /);
  expect(Date.parse(resumeAt ?? "")).toBeGreaterThanOrEqual(heldBack().asked + 120_000);
  expect(service.journal.length).toBe(sent);
});

test.each<[string, Reply]>([
  ["a picture that is not there", text("Not found", 404, { "retry-after": "120" })],
  ["trouble that is over at once", text("Busy", 503, { "retry-after": "0" })],
])("%s holds nothing back", async (_, reply) => {
  const { make, heldBack } = await beginWith(reply);
  await make();
  expect(heldBack().until).toBeLessThan(Date.now());
});
