import { expect, test } from "vitest";
import { conditions, freshUntil, validatorsOf } from "../../../src/images/answer.ts";

const NOW = 1_800_000_000_000;
const DAY_S = 24 * 3_600;

test.each([
  ["no promise", {}, 0],
  ["an hour, in capitals and quotes", { "cache-control": 'Max-Age="3600"' }, 3_600],
  ["what is left of an hour", { "cache-control": "max-age=3600", age: "600" }, 3_000],
  ["nothing left", { "cache-control": "max-age=60", age: "600" }, 0],
  ["a year, cut to a week", { "cache-control": "max-age=31536000, immutable" }, 7 * DAY_S],
  ["an age that is no number", { "cache-control": "max-age=60", age: "soon" }, 60],
])("freshUntil() reads %s", (_, headers, seconds) => {
  expect(freshUntil(headers, NOW)).toBe(NOW + seconds * 1_000);
});

const url = new URL("https://pictures.example/a.jpg");

test("conditions() sends back what came, to the address it came from", () => {
  const known = validatorsOf(
    { etag: 'W/"1"', "last-modified": "Mon, 01 Jan 2024 00:00:00 GMT" },
    url,
    String,
  );
  expect(conditions(known, url)).toEqual({
    "if-none-match": 'W/"1"',
    "if-modified-since": "Mon, 01 Jan 2024 00:00:00 GMT",
  });
  expect(conditions(known, new URL("https://pictures.example/b.jpg"))).toEqual({});
  expect(conditions(null, url)).toEqual({});
});

test.each([["\u00e9"], ["a\r\nb: c"], ["x".repeat(513)]])(
  "validatorsOf() keeps nothing that could not be a header again",
  (etag) => {
    expect(validatorsOf({ etag }, url, String).etag).toBeNull();
  },
);
