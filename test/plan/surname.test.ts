import { expect, test } from "vitest";
import { indexKey } from "../../src/plan/surname.ts";

test.each([
  ["Abraham Lincoln", "en", "lincoln abraham"],
  ["Ludwig van Beethoven", "de", "beethoven ludwig van"],
  ["Robert De Niro", "en", "niro robert de"],
  ["Johann Wolfgang von der Recke", "de", "recke johann wolfgang von der"],
  ["Antoine de Saint-Exupéry", "fr", "saint exupery antoine de"],
  ["Martin Luther King, Jr.", "en", "king martin luther"],
  ["J. R. R. Tolkien", "en", "tolkien j r r"],
  ["Лев Толстой", "ru", "толстой лев"],
  ["Лев Толстой", "en", "толстой лев"],
])("indexKey(%j) in %s begins with the surname: %j", (name, language, key) => {
  expect(indexKey(name, language)).toBe(key);
});

test.each([
  ["Platon", "de"],
  ["Petőfi Sándor", "hu"],
  ["Halldór Laxness", "is"],
  ["Hồ Chí Minh", "vi"],
  ["কাজী নজরুল", "be"],
  ["Αριστοτέλης", "el"],
  ["Alexander the Great", "en"],
  ["Pliny The Elder", "en"],
  ["John Paul II", "en"],
  ["Lao Tzu", "en"],
  ["German Proverb", "en"],
  ["The Beatles", "en"],
  ["La Rochefoucauld", "fr"],
  ["Harry Potter and the Goblet of Fire", "en"],
  ["Matthew 5:3", "en"],
  ["", "en"],
])("indexKey(%j) in %s is the name as it is", (name, language) => {
  const [first = ""] = indexKey(name, language).split(" ");
  expect(first).toBe(indexKey(name.split(" ")[0] ?? "", "vi"));
});
