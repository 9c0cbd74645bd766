import { expect, test } from "vitest";
import { initialOf, initialsInOrder } from "../../src/plan/initials.ts";
import { fileOf, initialPath, listingPath, quotePath } from "../../src/plan/paths.ts";

test.each([
  [listingPath("tag", "love"), "/tag/love/", "tag/love/index.html"],
  [listingPath("author", "moliere", 2), "/author/moliere/2/", "author/moliere/2/index.html"],
  [initialPath("a", 3), "/authors/a/3/", "authors/a/3/index.html"],
  [quotePath(7), "/quote/7/", "quote/7/index.html"],
  ["/", "/", "index.html"],
  ["/404.html", "/404.html", "404.html"],
])("the page %s is served at its address from a file of its own", (path, address, file) => {
  expect(path).toBe(address);
  expect(fileOf(path)).toBe(file);
});

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
