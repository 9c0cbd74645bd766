/** A picture that the service refuses holds back the pictures after it and the next harvest: one host, one quota. */
import { expect, test } from "vitest";
import { makePictures } from "../../src/commands/pictures.ts";
import { openLedger } from "../../src/snapshot/work/ledger.ts";
import { openWork } from "../../src/snapshot/work/work.ts";
import { startHarvests } from "../support/service/index.ts";
import { json, type Reply, text, throttled } from "../support/http/index.ts";
import { settingsFor, tempFolder } from "../support/run/index.ts";

const signal = new AbortController().signal;
const how = { signal, say: () => undefined, embeddedUrl: undefined, network: true };

const PICTURES = 40;
/** Pictures that are asked for at once: those were on their way. */
const IN_FLIGHT = 8;

/** A harvested service whose pictures all get the same answer. */
async function beginWith(reply: Reply) {
  const harvests = await startHarvests(60);
  const { service, stateDir } = harvests;
  service.quotes = service.quotes.map((quote) =>
    quote.pk <= PICTURES ? { ...quote, image: `${service.url}/pictures/${quote.pk}.png` } : quote,
  );
  await harvests.run();
  service.fault = ({ url }) => (url.pathname.startsWith("/pictures/") ? reply : null);
  const settings = { ...settingsFor(service.url, stateDir), outDir: tempFolder() };
  const pictures = () =>
    service.journal.filter(({ url }) => url.pathname.startsWith("/pictures/")).length;
  /** When the first picture was asked for, and until when no request may be sent; milliseconds since the epoch. */
  const heldBack = () => {
    const work = openWork(stateDir);
    const { notBefore, quota } = openLedger(work, new URL(service.url).host, Date.now, 1);
    work.close();
    const first = service.journal.find(({ url }) => url.pathname.startsWith("/pictures/"));
    return { asked: first?.at ?? Infinity, until: notBefore, quota };
  };
  return { ...harvests, pictures, heldBack, make: () => makePictures(settings, how) };
}

const AVAILABLE = { detail: "Request was throttled. Expected available in 2837.0 seconds." };

// A tenth at most is added.
test.each<[string, Reply, number]>([
  ["429 with Retry-After", throttled({ "retry-after": "120" }), 120_000],
  ["429 with a RateLimit reset", throttled({ ratelimit: '"d";r=0;t=300' }), 300_000],
  ["429 with a sentence", json(AVAILABLE, 429), 2_837_000],
  ["429 without a word", text("", 429), 60_000],
  ["429 as a success", json({ errno: 429, errmsg: "too many requests" }), 60_000],
  ["503 with Retry-After", text("Busy", 503, { "retry-after": "90" }), 90_000],
])("%s moves the time before which no request is sent", async (_, reply, askedMs) => {
  const { make, pictures, heldBack } = await beginWith(reply);
  const report = await make();
  expect(report.failed).toBe(PICTURES);
  expect(pictures()).toBeLessThanOrEqual(IN_FLIGHT);
  const { asked, until } = heldBack();
  expect(until).toBeGreaterThanOrEqual(asked + askedMs);
  expect(until).toBeLessThanOrEqual(Date.now() + askedMs * 1.1);
});

test("neither pictures nor a harvest are asked for before that time", async () => {
  const { service, make, run, pictures, heldBack } = await beginWith(
    throttled({ "retry-after": "120" }),
  );
  await make();
  expect(heldBack().quota).toMatchObject({ from: "refusals", periodMs: 120_000 });
  service.fault = () => null;
  const [sent, asked] = [service.journal.length, pictures()];
  await make();
  expect(pictures()).toBe(asked);
  const { stopped, resumeAt } = await run({ maxWaitMs: 1_000 });
  expect(stopped).toMatch(/^Cannot go on before /);
  expect(Date.parse(resumeAt ?? "")).toBeGreaterThanOrEqual(heldBack().asked + 120_000);
  expect(service.journal.length).toBe(sent);
});

test.each<[string, Reply]>([
  ["a picture that is not there", text("Not found", 404, { "retry-after": "120" })],
  ["trouble that names no time", text("Busy", 503)],
  ["trouble that is over at once", text("Busy", 503, { "retry-after": "0" })],
])("%s holds nothing back", async (_, reply) => {
  const { make, heldBack } = await beginWith(reply);
  await make();
  expect(heldBack().until).toBeLessThan(Date.now());
});
