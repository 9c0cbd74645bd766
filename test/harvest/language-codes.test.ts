/** A selection by language, of services that list and filter by codes in other cases. Each over a socket. */
import { expect, test } from "vitest";
import { settingsFor } from "../support/run/index.ts";
import { beginNights, isComplete } from "./false-answers/nights.ts";
import { libraryOf } from "./false-answers/service.ts";
import { answer, isList } from "./false-answers/table.ts";

const capitals = (code: string): string => code.toUpperCase();
const titled = (code: string): string => code.slice(0, 1).toUpperCase() + code.slice(1);
const asIs = String;
const inUs = (code: string): string => `${code}-US`;
const english = (code: string): string =>
  new Intl.DisplayNames("en", { type: "language" }).of(code) ?? code;

test.each<[string, (code: string) => string, (code: string) => string, number]>([
  ["lists and filters by the contract's codes", asIs, asIs, 200],
  ["lists and filters by codes in capitals", capitals, capitals, 200],
  ["lists codes in capitals, and filters by the contract's", capitals, asIs, 200],
  ["lists the contract's codes, and filters by capitals", asIs, capitals, 200],
  ["refuses other codes than its own", capitals, capitals, 400],
  ["lists and filters by codes with a capital", titled, titled, 200],
  ["lists and filters by names", english, english, 200],
  ["refuses other than names", english, english, 400],
  ["lists names, and filters by the contract's codes", english, asIs, 200],
  ["lists regions, and filters by languages", inUs, asIs, 200],
])("a selection of a service that %s is complete", async (_, listed, wanted, refusal) => {
  const quotes = libraryOf(120).map((one) => ({ ...one, language: listed(one.language) }));
  const nights = await beginNights({ quotes, cap: 20 });
  const { service } = nights;
  service.script = (asked) => {
    const code = asked.query.get("lang");
    if (!isList(asked) || code === null) return null;
    const known = ["en", "fr", "he", "de"].find((one) => wanted(one) === code);
    if (known === undefined && refusal !== 200) return answer({ lang: ["Unknown."] }, refusal);
    const url = new URL(asked.url);
    url.searchParams.set("lang", known === undefined ? "-" : listed(known));
    return answer(service.page(url));
  };
  const selection = { languages: ["fr"], tags: [], curated: false };
  // No rule leads to such codes: the records of an earlier harvest show them.
  if (listed === titled) await nights.run();
  const ended = await nights.run({}, { selection });
  expect([ended.status, isComplete(ended), ended.message]).toEqual([0, true, ""]);
  const french = quotes.filter(({ language }) => language === listed("fr")).map(({ pk }) => pk);
  expect(nights.keys()).toEqual(french);
});

test("a harvest says that the address was cut before the paths of the service", async () => {
  const nights = await beginNights({ quotes: libraryOf(20) });
  const service = {
    ...settingsFor(nights.service.url, "").service,
    cutFrom: "http://q/apiv1/tags/",
  };
  const { result } = await nights.run({}, { service });
  expect(result?.remarks.join()).toContain(
    `QUOTES_BASE_URL is used as ${nights.service.url}, without what follows`,
  );
});
