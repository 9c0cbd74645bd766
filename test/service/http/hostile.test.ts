/** Junk gets the right answer or a 400, and never a 500. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ask, running } from "../support/running.ts";
import { anyCharacter } from "../../support/any-character.ts";

const many = Array.from({ length: 900 }, (_, index) => `tag${index}`).join(",");

test.each([
  ["a NUL", "/apiv1/quotes/?author=%00", 200],
  ["bytes that are no UTF-8", "/apiv1/quotes/?author=%FF%FE%80", 200],
  ["a NUL after a code", "/apiv1/quotes/?lang=en%00&tags=%00", 200],
  ["broken percent signs", "/apiv1/quotes/?a%=%&%zz", 200],
  ["nothing but marks", "/apiv1/quotes/?=&&=&", 200],
  ["names of JavaScript", "/apiv1/quotes/?limit[]=3&__proto__=1&constructor=2", 200],
  ["nine hundred tags", `/apiv1/quotes/?tags=${many}`, 200],
  ["a very long name", `/apiv1/quotes/?author=${"a".repeat(12_000)}`, 200],
  ["SQL in a name", "/apiv1/quotes/?author=' OR 1=1; DROP TABLE quotes;--", 200],
  ["SQL in a number", "/apiv1/quotes/?limit=1 UNION SELECT 1&offset=9999999999999999999999", 200],
  ["SQL in a bound", "/apiv1/quotes/?minlength=1;DROP", 400],
  ["a NUL in the path", "/apiv1/quotes/%00=1", 200],
  ["a lone equals sign", "/apiv1/quotes/=", 200],
  ["a name of JavaScript in the path", "/apiv1/quotes/__proto__", 404],
  ["two slashes", "//apiv1/quotes/", 404],
  ["a way out of the folder", "/media/..%2f..%2fpackage.json", 404],
  ["a picture of a prototype", "/media/__proto__", 404],
  ["a way up", "/%2e%2e/etc/passwd", 404],
])("an address with %s", async (_, path, status) => {
  const { url } = await running();
  expect((await ask(url + path)).status).toBe(status);
});

const FORM = "application/x-www-form-urlencoded";
const PART = '--x\r\nContent-Disposition: form-data; name="pk"\r\n\r\n1\r\n--x--\r\n';

test.each<[string, string, number, string?]>([
  [FORM, "", 400, "?pk=1"],
  [FORM, "pk=", 400],
  [FORM, "pk=0", 400],
  [FORM, "pk=-1", 400],
  [FORM, "pk=1.5", 400],
  [FORM, "pk=1&pk=x", 400],
  [FORM, "pk=9007199254740993", 400],
  [FORM, "pk=9007199254740991", 404],
  [FORM, "PK=1", 400],
  [FORM, "pk= 1 ", 200],
  ["application/json; charset=utf-8", '{"pk":1}', 200],
  ["application/json", '{"pk":"1"}', 200],
  ["application/json", '{"pk":true}', 400],
  ["application/json", '{"pk":[1]}', 400],
  ["application/json", '{"pk":9007199254740993}', 400],
  ["application/json", '{"pk":1e400}', 400],
  ["application/json", "[1]", 400],
  ["application/json", "null", 400],
  ["application/json", '{"pk":', 400],
  ["multipart/form-data; boundary=x", PART, 200],
  ["multipart/form-data; boundary=x", "rubbish", 400],
  ["multipart/form-data", "pk=1", 400],
  ["text/plain", "pk=1", 415],
  ["application/xml", "<pk>1</pk>", 415],
])("a vote of type %s with %j is %d", async (type, body, status, query = "") => {
  const { url, store } = await running();
  const init = { method: "POST", headers: { "Content-Type": type }, body };
  const answer = await ask(`${url}/apiv1/upvote/${query}`, init);
  expect(answer.status).toBe(status);
  expect(store.votes()).toHaveLength(status === 200 ? 1 : 0);
});

test("no parameters, whatever they are, make it fail", async () => {
  const { url } = await running();
  const name = fc.constantFrom(
    ..."tags curated order lang author minlength limit offset x".split(" "),
  );
  const value = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.integer().map(String),
    fc.constantFrom("'", '"', "%", "\\", "--"),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 6 }), async (pairs) => {
      const { status } = await ask(`${url}/apiv1/quotes/?${new URLSearchParams(pairs).toString()}`);
      expect([200, 400]).toContain(status);
    }),
    { numRuns: 100 },
  );
});

/** The least CPU time of this thread for an answer, in milliseconds: other programs of the machine do not count. */
async function costOf(send: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < 5; round++) {
    const before = process.threadCpuUsage();
    await send();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

// A quadratic expression takes a hundred milliseconds or more at this length.
test.each([
  ["/apiv1/quotes/?", "a&", ""],
  ["/apiv1/quotes/?limit=1&offset=1", "&offset=1", ""],
  ["/apiv1/quotes/?limit=", "+", "x"],
  ["/apiv1/quotes/?minlength=", "+", "x"],
  ["/apiv1/quotes/?tags=", ",+", "x"],
  ["/apiv1/quotes/?author=", "+", "x"],
  ["/apiv1/quotes/", "=", "/x"],
  ["/apiv1/quotes/a=", "/", "x"],
])(
  "the longest address of %j, many %j and %j costs little more than one of letters",
  async (...parts) => {
    const { url } = await running();
    const [start, unit, end] = parts;
    const cost = (many: string) => costOf(() => ask(url + start + many + end));
    const plain = await cost("a".repeat(14_000));
    expect(await cost(unit.repeat(14_000 / unit.length))).toBeLessThan(20 * plain + 20);
  },
);
