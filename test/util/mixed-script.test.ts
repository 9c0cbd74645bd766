import { expect, test } from "vitest";
import { mixedScripts } from "../../src/util/mixed-script.ts";

test.each([
  ["\u0410lbert Einstein", ["Cyrillic", "Latin"]],
  ["Albert Einst\u0435in", ["Latin", "Cyrillic"]],
  ["\u039Fscar Wilde", ["Greek", "Latin"]],
  ["М\u03BFсква", ["Cyrillic", "Greek"]],
  ["Sh\u13AAkespeare", ["Latin", "Cherokee"]],
  ["\u0570omer", ["Armenian", "Latin"]],
  ["Ал\u0301bеrt", ["Cyrillic", "Latin"]],
  ["孔Конф", ["Han", "Cyrillic"]],
])("mixedScripts() finds the word of two scripts in %s", (name, scripts) => {
  expect(mixedScripts(name)).toEqual(scripts);
});

test.each([
  "Albert Einstein",
  "Søren Kierkegaard",
  "Лев Толстой",
  // Each word has one script.
  "Лев Толстой (Leo Tolstoy)",
  "Ὅμηρος",
  "松尾 芭蕉 Bashō",
  "ゲーテGoethe詩",
  "BTS방탄소년단",
  "नरेन्द्र",
  "ابن رشد",
  "1984ый",
  "e\u0301mile",
  "",
])("mixedScripts() finds none in %s", (name) => {
  expect(mixedScripts(name)).toBeNull();
});
