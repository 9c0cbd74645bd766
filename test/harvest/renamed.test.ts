/** A service whose records change their shape overnight: nothing it stopped saying is published as "there is none". */
import { expect, test } from "vitest";
import { PublishRefused } from "../../src/contract/errors.ts";
import type { WireQuote } from "../../src/contract/quote.ts";
import { WalkFailed } from "../../src/contract/refused-answer.ts";
import { openPublished } from "../../src/snapshot/index.ts";
import { answer, begin, type Night } from "../support/service/index.ts";
import { json } from "../support/http/index.ts";

/** From now on each record has a field by another name. */
function rename({ service }: Night, from: keyof WireQuote, to: string): void {
  service.fault = ({ url }) => {
    const page = answer(service.quotes, url, { cap: 20 }) as { results?: WireQuote[] };
    const results = page.results?.map(({ [from]: value, ...rest }) => ({ ...rest, [to]: value }));
    return json(results === undefined ? page : { ...page, results });
  };
}

const stands = (stateDir: string): unknown[] => {
  const snapshot = openPublished(stateDir);
  const all = [...(snapshot?.all() ?? [])];
  snapshot?.close();
  return all;
};

test.each(["author", "tags"] as const)(
  "a field that is gone from most quotes is refused, in the whole and in a part: %s",
  async (field) => {
    const night = await begin(200);
    await night.run();
    const before = stands(night.stateDir);
    rename(night, field, "other");
    await expect(night.run({ maxRequests: 3 })).rejects.toThrow(PublishRefused);
    await expect(night.run()).rejects.toThrow(new RegExp(`quotes lost their ${field}`));
    expect(stands(night.stateDir)).toEqual(before);
    await night.run({ allowShrink: true });
    expect(stands(night.stateDir)).not.toEqual(before);
  },
);

test("what was read without a field is read again once the service has it back", async () => {
  const night = await begin(200);
  await night.run();
  const before = stands(night.stateDir);
  rename(night, "author", "by");
  await expect(night.run({ maxRequests: 3 })).rejects.toThrow(PublishRefused);
  night.service.fault = () => null;
  expect((await night.run()).harvest.label).toBe("complete:proved");
  expect(stands(night.stateDir)).toEqual(before);
});

test("a page of which nothing can be read fails the run, though the budget ends long before the list", async () => {
  const night = await begin(600);
  await night.run();
  rename(night, "quote", "text");
  const asked = night.service.journal.length;
  await expect(night.run({ maxRequests: 8 })).rejects.toThrow(WalkFailed);
  expect(night.service.journal.length - asked).toBeLessThan(8);
});
