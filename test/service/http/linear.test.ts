/** The time of an answer grows with the length of the address and of a header, and not with its square. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApp } from "../../../src/service/start.ts";
import { embeddedCollection } from "../../../src/service/collection.ts";
import { Store } from "../../../src/service/store.ts";

let store: Store;
let app: ReturnType<typeof createApp>;
beforeAll(() => {
  store = new Store(":memory:");
  store.insert(embeddedCollection());
  store.index();
  app = createApp({
    store,
    paging: { pageSize: 5, maxLimit: 100 },
    publicUrl: "http://127.0.0.1:8080",
    token: "secret",
    cors: "http://site.example",
    onBug: (error) => {
      throw error;
    },
  });
});
afterAll(() => store.close());

/** Characters of the two sizes, and how much longer the second may take: 16 times is linear, 256 times is quadratic. */
const SHORT = 4_000;
const LONG = 64_000;
const MOST = 64;

/** Less is noise. */
const LEAST_MS = 0.5;

async function cpuMs(send: (filler: string) => Request, unit: string, length: number) {
  const filler = unit.repeat(length / unit.length);
  let least = Infinity;
  for (let round = 0; round < 3; round++) {
    const request = send(filler);
    const started = process.threadCpuUsage();
    await (await app.fetch(request)).text();
    const { user, system } = process.threadCpuUsage(started);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/** Measured again while it looks quadratic: a compiler or a collector at work may make it look so, and not each time. */
async function growth(send: (filler: string) => Request, unit: string): Promise<number> {
  let least = Infinity;
  for (let tries = 0; tries < 20 && least >= MOST; tries++) {
    const short = Math.max(LEAST_MS, await cpuMs(send, unit, SHORT));
    least = Math.min(least, (await cpuMs(send, unit, LONG)) / short);
  }
  return least;
}

const HEADERS = { Authorization: "Token secret" };

test.each([
  ["apiv1/quotes/?", "a&", ""],
  ["apiv1/tags/?", "a&", ""],
  ["apiv1/quotes/?limit=1&offset=1", "&offset=1", ""],
  ["apiv1/quotes/?minlength=", "+", "x"],
  ["apiv1/quotes/?maxlength=", "%20", ","],
  ["apiv1/quotes/", "=", "//"],
  ["apiv1/quotes/", "=", "/x"],
  ["apiv1/quotes/a=", "/", "x"],
  ["apiv1/quotes/?tags=", ",", ""],
  ["apiv1/quotes/?author=", "%CC%81", ""],
])("an address of %j, many %j and %j", async (start, filler, end) => {
  const send = (many: string) =>
    new Request(`http://127.0.0.1/${start}${many}${end}`, { headers: HEADERS });
  expect(await growth(send, filler)).toBeLessThan(MOST);
});

test.each([
  ["Authorization", "Token ", " ", "x"],
  ["Authorization", "Token ", "a ", ""],
  ["Content-Type", "multipart/form-data; boundary=", "a;", ""],
  ["Content-Type", "application/x-www-form-urlencoded", " ", ";"],
  ["Origin", "http://", "a.", ""],
  ["Access-Control-Request-Headers", "a", " ,", "a"],
  ["Host", "", ":", "1"],
  ["Host", "[", "]:", "1"],
])("a header %s of %j, many %j and %j", async (name, start, filler, end) => {
  const method = name.startsWith("Access") ? "OPTIONS" : "POST";
  const asked = { "Access-Control-Request-Method": "POST", ...HEADERS };
  const send = (many: string) =>
    new Request("http://127.0.0.1/apiv1/upvote/", {
      method,
      headers: { ...asked, [name]: `${start}${many}${end}` },
      body: method === "POST" ? "pk=1" : null,
    });
  expect(await growth(send, filler)).toBeLessThan(MOST);
});
