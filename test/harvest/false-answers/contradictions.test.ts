/** One false answer among changes of the collection: the answers around it contradict it, so nothing is called complete that is not. */
import { expect, test } from "vitest";
import type { WirePage } from "../../support/service/index.ts";
import {
  isFiltered,
  isList,
  FALSE_ANSWERS,
  answer,
  type Asked,
  type FalseAnswer,
} from "./table.ts";
import { begin, expectWhole, isComplete } from "./nights.ts";

const SIZE = 400;
const pageIn = ({ truth }: Asked): WirePage => truth.body as WirePage;

test("two answers to one request that hide different rows do not confirm each other", async () => {
  const nights = await begin(SIZE, 25);
  nights.service.script = (asked) => {
    if (asked.list !== 5 && asked.list !== 6) return null;
    const results = pageIn(asked).results.filter((_, at) => at % 4 !== asked.list % 4);
    return answer({ ...pageIn(asked), results });
  };
  expect(isComplete(await nights.run({ concurrency: 1 }))).toBe(true);
  expectWhole(nights);
});
