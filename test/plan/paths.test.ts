import { expect, test } from "vitest";
import { compareInitials, initialOf } from "../../src/plan/initials.ts";
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

test("compareInitials() puts Latin first and signs last", () => {
  const groups = ["толстой", "7", "zola", "adams"].map(initialOf);
  const labels = groups.sort(compareInitials).map(({ label }) => label);
  expect(labels).toEqual(["A", "Z", "Т", "#"]);
});
