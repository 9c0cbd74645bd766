/** What may be published: the table has one rule for each situation, and none of them loses quotes. */
import { expect, test } from "vitest";
import {
  decide,
  PUBLISHED,
  publishedBefore,
  READ,
  RULES,
  rulesFor,
  SELECTION,
  type Situation,
} from "../../src/harvest/policy.ts";
import { json } from "../support/http/index.ts";
import { answer, startHarvests } from "../support/service/index.ts";

const keys = <Key extends string>(names: Readonly<Record<Key, unknown>>): Key[] =>
  Object.keys(names) as Key[];

const SITUATIONS: readonly Situation[] = keys(PUBLISHED).flatMap((published) =>
  keys(SELECTION).flatMap((selection) =>
    keys(READ).flatMap((read) =>
      [true, false].map((allowPartial) => ({ published, selection, read, allowPartial })),
    ),
  ),
);

test("every situation has exactly one rule, and every rule a situation", () => {
  const rules = SITUATIONS.map((situation) => ({ situation, found: rulesFor(situation) }));
  expect(rules.filter(({ found }) => found.length !== 1)).toEqual([]);
  expect(new Set(rules.flatMap(({ found }) => found)).size).toBe(RULES.length);
});

/** What must hold in every situation without `--allow-shrink`. */
const PROMISES: readonly (readonly [
  name: string,
  of: (situation: Situation) => boolean,
  holds: (rule: ReturnType<typeof decide>, situation: Situation) => boolean,
])[] = [
  [
    "a run without a quote publishes nothing, or is refused",
    ({ read }) => read === "none",
    ({ action }) => action === "stay",
  ],
  [
    "a run that was cut short replaces no whole collection of its service",
    ({ published, read }) => published === "whole" && read === "partial",
    ({ action }) => action !== "replace",
  ],
  [
    "without --allow-partial a part is published only beside a whole collection",
    ({ published, read, allowPartial }) =>
      read === "partial" && published !== "whole" && !allowPartial,
    ({ action, status }) => action === "stay" && status === 75,
  ],
  [
    "only a complete run removes quotes that its selection includes",
    ({ published, selection, read }) =>
      (published === "part" || published === "whole") &&
      selection !== "curated" &&
      read !== "complete",
    ({ unseen }) => unseen === "keep" || unseen === "keep selected",
  ],
  [
    "a complete run removes only quotes that are known to be gone, and not too many",
    ({ published, selection, read }) =>
      (published === "part" || published === "whole") &&
      selection !== "curated" &&
      read === "complete",
    ({ unseen, guards }) => unseen === "remove gone" && guards.includes("shrink"),
  ],
  [
    "nothing of another service stays, and a much smaller one is refused",
    ({ published }) => published === "other",
    ({ action, unseen, guards }) =>
      action === "stay" || (unseen === "none" && guards.includes("replacement")),
  ],
  [
    "the embedded examples never replace a collection",
    ({ published }) => published === "forgotten",
    ({ action, guards }) => action === "stay" || guards.includes("forgotten"),
  ],
  [
    "a published field is guarded wherever its quotes stay",
    () => true,
    ({ action, unseen, guards }) =>
      action === "stay" || unseen === "none" || guards.includes("fields"),
  ],
  [
    "a run that read a list to its end without a quote is refused",
    ({ read }) => read === "complete" || read === "best-effort",
    ({ guards }) => guards.includes("empty"),
  ],
];

test.each(PROMISES)("%s", (_, isMeant, holds) => {
  const meant = SITUATIONS.filter(isMeant);
  expect(meant).not.toEqual([]);
  expect(meant.filter((situation) => !holds(decide(situation, false), situation))).toEqual([]);
});

test("--allow-shrink lifts every guard, and lets only complete runs remove more", () => {
  for (const situation of SITUATIONS) {
    const [usual, lifted] = [decide(situation, false), decide(situation, true)];
    expect(lifted.guards).toEqual([]);
    expect(lifted.action).toBe(usual.action);
    expect(lifted.unseen).toBe(usual.unseen === "remove gone" ? "remove all" : usual.unseen);
  }
});

test("publishedBefore() of no snapshot is nothing", () => {
  expect(publishedBefore(null, "embedded", "quotes.example")).toBe("nothing");
});

test("a narrower selection of a list without proof keeps the quotes of that selection", async () => {
  const { service, run, keys: published } = await startHarvests(300);
  await run();
  const selected = service.quotes.filter(({ language }) => language === "he").map(({ pk }) => pk);
  // The service hides two quotes, counts more than it shows and ignores lengths: no walk of it is complete.
  const hidden = selected.slice(10, 12);
  service.quotes = service.quotes.filter(({ pk }) => !hidden.includes(pk));
  service.fault = ({ url }) => {
    for (const name of ["minlength", "maxlength"]) url.searchParams.delete(name);
    const page = answer(service.quotes, url, { cap: 20 });
    return url.pathname.endsWith("/quotes/") ? json(Object.assign({ count: 1e6 }, page)) : null;
  };
  const selection = { languages: ["he"], tags: [], curated: false };
  const result = await run({}, { selection });
  expect(result.harvest).toMatchObject({ label: "best-effort", removed: 0 });
  expect(published().sort((a, b) => a - b)).toEqual(selected);
});
