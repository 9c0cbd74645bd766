/**
 * A plan kept in the state is used again while its version stays. So whatever changes the rows made of the same
 * quotes, be it folding, slugs, order, cache keys or tables, must come with a new version: then this test wants both new.
 */
import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { PLAN_VERSION, SCHEMA } from "../../src/plan/schema.ts";
import { makeSite } from "../support/site/index.ts";

const NAMES = [
  "Molière",
  "Moliere",
  "― Moliere",
  "Лев Толстой",
  "李白",
  "?",
  "Unknown",
  "con",
  null,
];

test("the same quotes give the same plan, or its version is another", () => {
  const site = makeSite(
    Array.from({ length: 50 }, (_, index) => ({
      id: index + 1,
      likes: (index * 7_919) % 3_000,
      author: NAMES[index % NAMES.length] ?? null,
      tags: [["love"], ["Love", "self-help"], [], ["２", "c++"]][index % 4] ?? [],
      language: ["en", "be", "xx"][index % 3] ?? "en",
    })),
  );
  // The pages that are one each follow from the reader, and not from the plan's rows.
  const listings = Array.from(site.pages()).filter(({ term }) => term !== "");
  const rows = JSON.stringify([SCHEMA, listings.map((page) => [page, site.quotesOn(page)?.ids])]);
  expect({ version: PLAN_VERSION, rows: hash("sha256", rows).slice(0, 16) }).toEqual({
    version: 17,
    rows: "80747c0db98d52ba",
  });
});
