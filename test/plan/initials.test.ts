import { expect, test } from "vitest";
import { initialOf, initialsInOrder } from "../../src/plan/initials.ts";

test.each([
  ["moliere", { label: "M", slug: "m" }],
  ["толстой", { label: "Т", slug: "т" }],
  ["李白", { label: "漢", slug: "han" }],
  ["한용운", { label: "한", slug: "hangul" }],
  ["芭蕉", { label: "漢", slug: "han" }],
  ["რუსთაველი", { label: "რ", slug: "რ" }],
  ["50 cent", { label: "#", slug: "0-9" }],
  ["??", { label: "#", slug: "0-9" }],
])("initialOf(%j) is %j", (key, group) => {
  expect(initialOf(key)).toEqual(group);
});

const KEYS = ["толстой", "7", "李白", "zola", "김소월", "adams", "あ", "طه", "ಕುವೆಂಪು", "øverland"];

test.each([
  ["latin", "A Z Ø Т ط ಕ あ 漢 한 #"],
  ["arabic", "ط A Z Ø Т ಕ あ 漢 한 #"],
  ["other", "A Z Ø Т ط ಕ あ 漢 한 #"],
] as const)(
  "initialsInOrder() puts %s first, and whole scripts where their signs are",
  (script, labels) => {
    const groups = KEYS.map(initialOf).sort(initialsInOrder(script));
    expect(groups.map(({ label }) => label).join(" ")).toBe(labels);
  },
);
