/**
 * One false answer never changes what is published as complete, and never removes a quote. Over a real socket, with
 * the harvest command's own entry; each row is a false answer that was seen.
 */
// @module-tag sized
import { expect, test } from "vitest";
import { withService } from "../../../src/commands/embedded.ts";
import { harvest } from "../../../src/harvest/index.ts";
import { readSettings } from "../../../src/settings/settings.ts";
import { FALSE_ANSWER_NAMES, FALSE_ANSWERS, once, type FalseAnswerName } from "./table.ts";
import { begin, beginSmall, expectKept, expectWhole, expectWholeOrNothing } from "./nights.ts";
import { tempFolder } from "../../support/run/index.ts";
import { inTurn } from "../../support/tier.ts";

test("a healthy service of 1,606 quotes in pages of 100 costs at most 24 requests", async () => {
  const nights = await begin();
  const ended = await nights.run();
  expect(ended).toMatchObject({ status: 0, label: "complete:proved", published: true });
  expectWhole(nights);
  expect(ended.requests).toBeLessThanOrEqual(24);
});

test("the embedded collection costs at most 22 requests, its tags and curated quotes among them", async () => {
  const settings = readSettings({ STATE_DIR: tempFolder() }, {});
  const { signal } = new AbortController();
  const { harvest: fact, quotes } = await withService(settings, ({ embeddedUrl }) =>
    harvest({ settings, signal, embeddedUrl }),
  );
  expect([fact.label, quotes]).toEqual(["complete:proved", 985]);
  expect(fact.requests).toBeLessThanOrEqual(22);
});

/** Single false answers that a harvest gets over in the same night. */
const ONCE = FALSE_ANSWER_NAMES.filter(
  (name) => !/^(?:filters ignored|filter index empty|stale replica|wrong types)$/.test(name),
);

/** Where the very first answer is one of these, the service may be taken for unavailable. */
const REFUSALS: readonly FalseAnswerName[] = [
  "not found",
  "bad request",
  "server error",
  "HTML with 200",
  "error with 200",
  "too large",
  "limit refused",
  "not acceptable",
  "payment required",
  "not modified",
];

/** The answer of the first night that is false, and those of later nights. */
const PLACES = [
  [5, 17, 18, 19],
  [1, 1, 5],
] as const;

test.each(ONCE.map((name, at) => [name, at] as const))(
  "%s, once: the first harvest is whole or none, and nothing is removed later",
  async (name, row) => {
    for (const [at, ...later] of inTurn(PLACES, row)) {
      const nights = await beginSmall();
      nights.service.script = once(at, FALSE_ANSWERS[name]);
      expectWholeOrNothing(
        nights,
        await nights.run(),
        at === 1 && REFUSALS.includes(name) ? [69] : [],
      );
      nights.service.script = () => null;
      expect(await nights.run()).toMatchObject({ status: 0, published: true });
      expectWhole(nights);
      const before = nights.published();
      for (const again of later) {
        nights.service.script = once(again, FALSE_ANSWERS[name]);
        const ended = await nights.run();
        expectKept(nights, before);
        expect([0, 69, 75]).toContain(ended.status);
      }
    }
  },
);

test.each(["not found", "bad request"] as const)(
  "%s, once while the end of the list is confirmed or audited: the harvest is complete",
  async (name) => {
    for (const at of [18, 19, 20, 21]) {
      const nights = await beginSmall();
      nights.service.script = once(at, FALSE_ANSWERS[name]);
      expect(await nights.run()).toMatchObject({ status: 0, label: "complete:proved" });
      expectWhole(nights);
    }
  },
);
