/** What is selected, what is listed, and services that do less than they should (docs/walk.md, sections 3 to 6). */
import { expect, test } from "vitest";
import { openPublished } from "../../src/snapshot/index.ts";
import { answer, startHarvests, collectionOf, type WirePage } from "../support/service/index.ts";
import { html, json } from "../support/http/index.ts";
import type { WireQuote } from "../../src/contract/quote.ts";
import { sleepClock } from "./false-answers/nights.ts";

test("a narrower selection is no mass delete", async () => {
  const { service, run, keys } = await startHarvests(600);
  await run();
  const only = { languages: ["fr"], tags: [], curated: false };
  const result = await run({}, { selection: only });
  expect(result.change).toMatchObject({ removed: 0, deselected: 400 });
  expect(keys()).toHaveLength(200);
  const wide = await run();
  expect(wide.change).toMatchObject({ added: 400, removed: 0 });
  expect(keys()).toHaveLength(service.quotes.length);
});

test.each([
  ["TAG-1", /^Cannot select the tag "TAG-1"/],
  [null, /^Cannot select the language "he"/],
])(
  "a service that ignores a filter of the selection, tag %j, ends the run with 78",
  async (tag, message) => {
    const { service, run, keys } = await startHarvests(90);
    service.fault = ({ url }) => {
      url.searchParams.delete("lang");
      url.searchParams.delete("tags");
      return null;
    };
    const selection = { languages: ["he"], tags: tag === null ? [] : [tag], curated: false };
    await expect(run({}, { selection })).rejects.toThrow(message);
    expect(keys()).toEqual([]);
  },
);

test("a filter that was heeded before is no wrong setting when it is ignored", async () => {
  const { service, run, keys } = await startHarvests(90);
  const selected = { selection: { languages: ["he"], tags: [], curated: false } };
  await run({}, selected);
  const before = keys();
  service.fault = ({ url }) => {
    url.searchParams.delete("lang");
    return null;
  };
  await expect(run({}, selected)).rejects.toMatchObject({
    message:
      'Cannot select the language "he": the service ignores the filter, which it has heeded before',
    exitStatus: 69,
  });
  expect(keys()).toEqual(before);
  service.fault = () => null;
  await run({}, selected);
});

test("a selection of curated quotes that holds all is a wrong setting only where none was heeded", async () => {
  const selected = { selection: { languages: [], tags: [], curated: true } };
  const heeded = await startHarvests(300);
  heeded.service.fault = ({ url }) => {
    if (url.searchParams.get("curated") !== "1") return null;
    const curated = heeded.service.quotes.filter(({ pk }) => pk % 6 === 0);
    return json(answer(curated, url, { cap: 20 }));
  };
  await heeded.run({}, selected);
  const ignored = await startHarvests(300);
  for (const { service } of [heeded, ignored]) {
    service.fault = ({ url }) => {
      url.searchParams.delete("curated");
      return null;
    };
  }
  await expect(heeded.run({}, selected)).rejects.toMatchObject({ exitStatus: 69 });
  await expect(ignored.run({}, selected)).rejects.toMatchObject({ exitStatus: 78 });
});

test("a selected language is that of a record in any case", async () => {
  const { service, run, keys } = await startHarvests(90);
  const french = service.quotes.filter(({ language }) => language === "fr").length;
  // As a service does whose filter ignores case.
  const written = service.quotes.map((quote) => ({
    ...quote,
    language: quote.pk % 2 === 0 ? quote.language.toUpperCase() : quote.language,
  }));
  service.fault = ({ url }) => {
    const asked = url.searchParams.get("lang");
    const found = written.filter(({ language }) => language.toLowerCase() === asked);
    url.searchParams.delete("lang");
    return asked === null ? null : json(answer(found, url, { cap: 20 }));
  };
  await run({}, { selection: { languages: ["fr"], tags: [], curated: false } });
  expect(keys()).toHaveLength(french);
});

test("tags of the list and of the quotes are compared", async () => {
  const { service, run, stateDir } = await startHarvests(60);
  service.fault = ({ url }) =>
    url.pathname === "/apiv1/tags/"
      ? json({ count: 2, next: null, results: [tag("tag-1"), tag("lonely")] })
      : null;
  const { remarks } = await run();
  expect(remarks.filter((remark) => remark.includes("tags"))).toEqual([
    "3 tags of quotes are not in the tag list: tag-0, tag-2, tag-3",
    "1 tags of the list are on no quote: lonely",
  ]);
  const snapshot = openPublished(stateDir);
  expect(snapshot?.tagList()).toEqual([tag("lonely"), tag("tag-1")]);
  snapshot?.close();
});

test("authors whose names mix scripts in a word are named", async () => {
  const { service, run } = await startHarvests(60);
  for (const [at, author] of ["\u0410lbert Einstein", "Albert Einstein", "Лев Tolstoy"].entries())
    Object.assign(service.quotes[at] ?? {}, { author });
  const { remarks } = await run();
  expect(remarks.filter((remark) => remark.includes("scripts"))).toEqual([
    "1 author with letters of two scripts in a word: \u0410lbert Einstein (Cyrillic and Latin)",
  ]);
});

const tag = (name: string) => ({ name, slug: name });

test.each<[string, (pk: number) => unknown]>([
  ["UUIDs", (pk) => `9f1c77aa-0000-4000-8000-${String(pk).padStart(12, "0")}`],
  ["integers that JSON cannot hold", (pk) => 2 ** 60 + pk * 4_096],
])("a service whose keys are %s ends the run with what can be done", async (_, keyOf) => {
  const { service, run } = await startHarvests(100);
  service.quotes = collectionOf(100).map((quote) => ({ ...quote, pk: keyOf(quote.pk) as number }));
  const message = /Cannot read pk.*integer below 2\^53.*docs\/own-quotes\.md/;
  await expect(run()).rejects.toThrow(message);
  await expect(run()).rejects.not.toThrow("--max-unreadable");
});

test("what the server of one connection does not show is asked for over another", async () => {
  const { service, run, keys } = await startHarvests(200);
  await run();
  const walked = new Set<number | undefined>();
  service.fault = ({ url }) => {
    if (url.pathname !== "/apiv1/quotes/") return null;
    return (response, request) => {
      const { remotePort } = request.socket;
      if (!url.searchParams.has("minlength")) walked.add(remotePort);
      const lacks = walked.has(remotePort) ? 7 : Infinity;
      const rows = service.quotes.filter(({ pk }) => pk % 40 !== lacks);
      json(answer(rows, url, { cap: 20 }))(response, request);
    };
  };
  await run();
  expect(keys()).toHaveLength(200);
});

test("a service that calls its keys id is harvested", async () => {
  const { service, run, keys } = await startHarvests(100);
  service.quotes = collectionOf(100).map(({ pk: id, ...quote }) => ({ id, ...quote }) as never);
  service.fault = ({ url }) => json(answer(service.quotes, url, { cap: 20 }));
  expect(await run()).toMatchObject({ exitStatus: 0 });
  expect(keys()).toHaveLength(100);
});

test("more than one bad record in a hundred fails the run unless it is allowed, a single one is reported", async () => {
  const { service, run, keys } = await startHarvests(100);
  const bad = (from: number) => {
    service.quotes = collectionOf(100).map((quote) =>
      quote.pk > from ? { ...quote, pk: -quote.pk } : quote,
    );
  };
  bad(99);
  const { harvest: fact, quarantined } = await run();
  expect(fact.quarantined).toBe(1);
  expect(quarantined[0]?.reason).toMatch(/^Cannot read pk/);
  bad(97);
  await expect(run()).rejects.toThrow(/3 of 1.*Cannot read pk.*--max-unreadable/);
  expect(keys()).toHaveLength(99);
  expect(await run({ maxUnreadable: 0.05 })).toMatchObject({ published: true, exitStatus: 0 });
});

test("a record without a readable key is counted once, though slices return it again", async () => {
  const { service, run } = await startHarvests(300);
  service.quotes = collectionOf(300).map((quote) => ({
    ...quote,
    pk: quote.pk === 7 ? -7 : quote.pk,
    quote: `${"x".repeat((quote.pk * 7) % 97)} ${quote.pk}`,
    likes: (quote.pk * 37) % 101,
  }));
  service.quotes.sort((a, b) => b.likes - a.likes);
  const { harvest: fact, quarantined } = await run();
  expect(fact).toMatchObject({ label: "complete:sliced", quarantined: 1 });
  expect(quarantined).toHaveLength(1);
});

function truth(service: { readonly quotes: Parameters<typeof answer>[0] }, url: URL): WirePage {
  return answer(service.quotes, url, { cap: 20 }) as WirePage;
}

const isList = (url: URL): boolean => url.pathname === "/apiv1/quotes/";

test("a service that counts more than it shows is read in slices, and loses what it deleted", async () => {
  const { service, run, keys } = await startHarvests(200);
  await run();
  service.quotes = service.quotes.slice(1);
  service.fault = ({ url }) =>
    isList(url) ? json({ ...truth(service, url), count: 1_000_000 }) : null;
  expect((await run()).harvest).toMatchObject({ label: "complete:sliced", removed: 1 });
  expect(keys()).toHaveLength(199);
});

test("a list that never says where it ends is a part, and is not published", async () => {
  const { service, run, keys } = await startHarvests(200);
  service.fault = ({ url }) => {
    const page = truth(service, url);
    return isList(url) ? json(page.next === null ? page.results : page) : null;
  };
  expect(await run()).toMatchObject({ published: false, exitStatus: 75 });
  service.fault = () => null;
  expect((await run()).harvest.label).toBe("complete:proved");
  expect(keys()).toHaveLength(200);
});

test("a service that does not heed the offset fails the run, and the old snapshot is kept", async () => {
  const { service, run, keys } = await startHarvests(200);
  await run();
  service.journal.length = 0;
  service.fault = ({ url }) => {
    url.searchParams.delete("offset");
    return null;
  };
  await expect(run()).rejects.toThrow(/the same quotes at offset/);
  expect(service.journal.length).toBeLessThan(12);
  expect(keys()).toHaveLength(200);
});

test.each([
  [
    { maxQuotes: 50 },
    "Cannot read more than 50 quotes: select fewer by language or tag (docs/config.md)",
  ],
  [
    { maxWorkBytes: 1_000 },
    "Cannot let the working file grow over 0.000001 GB: select fewer quotes by language or tag (docs/config.md)",
  ],
])(
  "a run stops at %j, keeps what it read and goes on where the limit is raised",
  async (limit, stopped) => {
    const { service, run, keys } = await startHarvests(200);
    expect(await run(limit)).toMatchObject({ published: false, exitStatus: 75, stopped });
    const { harvest: fact } = await run();
    expect(fact.label).toBe("complete:proved");
    expect(service.journal.length).toBeLessThan(22);
    expect(keys()).toHaveLength(200);
  },
);

test("12 records that make their pages fail are skipped in one run; more than 20 are a service that has failed", async () => {
  const { service, run, keys } = await startHarvests(600);
  let bad = (pk: number): boolean => pk % 50 === 7;
  service.fault = ({ url }) =>
    isList(url) && truth(service, url).results.some((row) => bad((row as WireQuote).pk))
      ? json({ detail: "A server error occurred." }, 500)
      : null;
  const now = sleepClock();
  const { harvest: fact } = await run({ maxUnreadable: 0.1 }, { now });
  expect(fact).toMatchObject({ label: "complete:proved", quarantined: 12 });
  expect(keys()).toHaveLength(588);
  bad = (pk) => pk % 24 === 7;
  expect(await run({ maxUnreadable: 0.1 }, { now })).toMatchObject({
    harvest: { label: "partial" },
    stopped: expect.stringContaining("answered 500") as string,
  });
  expect(keys().length).toBeGreaterThanOrEqual(588);
});

test.each([
  ["no JSON", '"'],
  ["no UTF-8", "\xff"],
])("one record that makes its pages %s is skipped", async (_, byte) => {
  const { service, run, keys } = await startHarvests(200);
  service.fault = ({ url }) => {
    if (!isList(url)) return null;
    const body = Buffer.from(JSON.stringify(truth(service, url))).toString("latin1");
    const spoilt = body.replace("number 30 ", `number ${byte}30 `);
    return (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(spoilt, "latin1");
    };
  };
  const { harvest: fact, remarks } = await run({}, { now: sleepClock() });
  expect(fact).toMatchObject({ label: "complete:proved", quarantined: 1 });
  expect(remarks).toEqual([expect.stringMatching(/^1 record could not be read/)]);
  expect(keys()).toHaveLength(199);
});

test("a page that is unreadable in another place each time loses at most the record of its last answer", async () => {
  const { service, run, keys } = await startHarvests(200);
  let asked = 0;
  service.fault = ({ url }) => {
    if (!isList(url) || url.searchParams.get("offset") !== "36") return null;
    const page = truth(service, url);
    const spoilt = asked++;
    const results = page.results.map((row, at) =>
      at === spoilt ? { ...(row as WireQuote), quote: 7 } : row,
    );
    return json({ ...page, results });
  };
  const { harvest: fact } = await run({ concurrency: 1 });
  expect([fact.label, fact.quarantined, asked]).toEqual(["complete:proved", 1, 4]);
  expect(keys().length).toBeGreaterThanOrEqual(199);
});

test("a list whose last page ends in another way each time fails the run", async () => {
  const { service, run, keys } = await startHarvests(200);
  let ends = 0;
  service.fault = ({ url }) => {
    const page = truth(service, url);
    if (!isList(url) || page.next !== null || page.results.length < 5) return null;
    return json({ ...page, results: page.results.slice(0, -1 - (ends++ % 12)) });
  };
  await expect(run({ concurrency: 1 })).rejects.toThrow(/20 windows lead no further/);
  expect(keys()).toEqual([]);
});

test("an answer that is no page is asked for again, also after a record was skipped", async () => {
  const { service, run, keys } = await startHarvests(200);
  let garbled = 0;
  service.fault = ({ url }) => {
    if (!isList(url)) return null;
    const pks = truth(service, url).results.map((row) => (row as WireQuote).pk);
    if (pks.includes(30)) return json({ detail: "A server error occurred." }, 500);
    return pks[0] === 109 && garbled++ === 0 ? html : null;
  };
  const { harvest: fact } = await run({ concurrency: 1 }, { now: sleepClock() });
  expect([fact.label, fact.quarantined, garbled > 1]).toEqual(["complete:proved", 1, true]);
  expect(keys()).toHaveLength(199);
});
