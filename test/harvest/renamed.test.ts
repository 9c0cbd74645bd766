/** A service whose records change their shape overnight: nothing it stopped saying is published as "there is none". */
import { expect, test } from "vitest";
import { PublishRefused, WalkFailed } from "../../src/contract/errors.ts";
import type { WireQuote } from "../../src/contract/quote.ts";
import { answer, startHarvests, type Harvests } from "../support/service/index.ts";
import { json } from "../support/http/index.ts";
import { publishedIn } from "../support/snapshot/index.ts";

/** From now on each record has a field by another name. */
function rename({ service }: Harvests, from: keyof WireQuote, to: string): void {
  service.fault = ({ url }) => {
    const page = answer(service.quotes, url, { cap: 20 }) as { results?: WireQuote[] };
    const results = page.results?.map(({ [from]: value, ...rest }) => ({ ...rest, [to]: value }));
    return json(results === undefined ? page : { ...page, results });
  };
}

test.each(["author", "tags", "source"] as const)(
  "a field that is gone from most quotes is refused, in the whole and in a part: %s",
  async (field) => {
    const harvests = await startHarvests(200);
    const { quotes } = harvests.service;
    harvests.service.quotes = quotes.map((one) => ({ ...one, source: { work: "W", year: null } }));
    await harvests.run();
    const before = publishedIn(harvests.stateDir);
    rename(harvests, field, "other");
    await expect(harvests.run({ maxRequests: 3 })).rejects.toThrow(PublishRefused);
    await expect(harvests.run()).rejects.toThrow(new RegExp(`quotes lost their ${field}`));
    expect(publishedIn(harvests.stateDir)).toEqual(before);
    await harvests.run({ allowShrink: true });
    expect(publishedIn(harvests.stateDir)).not.toEqual(before);
  },
);

test("one text in the place of all is refused, in the whole and in a part; new texts are not", async () => {
  const harvests = await startHarvests(200);
  await harvests.run();
  const before = publishedIn(harvests.stateDir);
  const { quotes } = harvests.service;
  const write = (text: (pk: number) => string): void => {
    harvests.service.quotes = quotes.map((one) => ({ ...one, quote: text(one.pk) }));
  };
  write(() => "Down for maintenance.");
  await expect(harvests.run({ maxRequests: 4 })).rejects.toThrow(PublishRefused);
  await expect(harvests.run()).rejects.toThrow("200 of 200 quotes lost their text");
  expect(publishedIn(harvests.stateDir)).toEqual(before);
  write((pk) => `Another text, number ${pk}`);
  expect((await harvests.run()).change).toMatchObject({ changed: 200, removed: 0 });
});

test("one language in the place of all is refused; another code for one of them is not", async () => {
  const harvests = await startHarvests(200);
  await harvests.run();
  const { quotes } = harvests.service;
  const codes = new Set(quotes.map(({ language }) => language));
  expect(codes.size).toBeGreaterThan(1);
  harvests.service.quotes = quotes.map((one) => ({ ...one, language: "en" }));
  await expect(harvests.run()).rejects.toThrow(/of 200 quotes lost their language/);
  const [renamed] = codes;
  harvests.service.quotes = quotes.map((one) =>
    one.language === renamed ? { ...one, language: "pt-BR" } : one,
  );
  expect((await harvests.run()).change.changed).toBeGreaterThan(19);
});

test("what was read without a field is read again once the service has it back", async () => {
  const harvests = await startHarvests(200);
  await harvests.run();
  const before = publishedIn(harvests.stateDir);
  rename(harvests, "author", "by");
  await expect(harvests.run({ maxRequests: 3 })).rejects.toThrow(PublishRefused);
  harvests.service.fault = () => null;
  expect((await harvests.run()).harvest.label).toBe("complete:proved");
  expect(publishedIn(harvests.stateDir)).toEqual(before);
});

test("a page of which nothing can be read fails the run, though the budget ends long before the list", async () => {
  const harvests = await startHarvests(600);
  await harvests.run();
  rename(harvests, "quote", "text");
  const asked = harvests.service.journal.length;
  await expect(harvests.run({ maxRequests: 8 })).rejects.toThrow(WalkFailed);
  expect(harvests.service.journal.length - asked).toBeLessThan(8);
});
