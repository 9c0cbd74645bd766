/** Bodies that are deep, long or endless: no run crashes, hangs, or ignores a signal for more than 5 s. */
import { expect, onTestFinished, test } from "vitest";
import { type Finished, settingsFor, start, tempFolder } from "../../support/run/index.ts";
import { isList, answer, type FalseAnswer, type Answer } from "./table.ts";
import { beginNights, expectWhole, isComplete } from "./nights.ts";
import { libraryOf, FalseService, quoteAt } from "./service.ts";
import { drip, silence, startFaultServer, throttled } from "../../support/http/index.ts";

/** Longer than any run of these tests takes on a busy machine. */
const GUARD_MS = 60_000;

const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const raw = (body: string, status = 200): Answer => ({ status, body, type: "application/json" });

/** The page with a field of its first record in place of what it holds. */
const firstRecordWith = (field: string, value: string) => (page: unknown) =>
  raw(JSON.stringify(page).replace(new RegExp(`"${field}":[^,]*`), `"${field}":${value}`));

test.each<[string, (page: unknown) => Answer]>([
  ["the body", () => raw(DEEP)],
  ["a record", (page) => raw(JSON.stringify(page).replace("[{", `[${DEEP},{`))],
  ["pk", firstRecordWith("pk", DEEP)],
  ["tags", firstRecordWith("tags", DEEP)],
  ["language", firstRecordWith("language", DEEP)],
  ["next", (page) => raw(JSON.stringify(page).replace(/"next":[^,]*/, `"next":${DEEP}`))],
  ["the detail of a 400", () => raw(`{"detail":${DEEP}}`, 400)],
  ["the detail of a 429", () => raw(`{"detail":${DEEP}}`, 429)],
  ["the detail of a 500", () => raw(`{"detail":${DEEP}}`, 500)],
])("JSON nested 100,000 deep as %s, once and for a night: no crash", async (_, deepen) => {
  const cases = [
    [[1], null],
    [[3], "a-token-that-is-looked-for"],
    [null, null],
  ] as const;
  for (const [lists, token] of cases) {
    const nights = await beginNights({ quotes: libraryOf(300), cap: 50 });
    nights.service.script = (asked) =>
      isList(asked) && (lists === null || lists.some((list) => list === asked.list))
        ? deepen(asked.truth.body)
        : null;
    const { service } = settingsFor(nights.service.url, nights.stateDir);
    await nights.run({}, { service: { ...service, token } });
    nights.service.script = () => null;
    // A night later than any wait that was asked for.
    await nights.run();
    expect((await nights.run()).status).toBe(0);
    expectWhole(nights);
  }
});

interface Timed extends Finished {
  /** From the signal to the end; 0 where it ended before. */
  readonly afterSignalMs: number;
  /** From the beginning to the signal. */
  readonly startMs: number;
}

/** Runs a harvest that is killed when it hangs; a signal is sent as soon as `signalled` resolves. */
async function harvestOf(
  url: string,
  more: readonly string[] = [],
  signalled?: Promise<unknown>,
): Promise<Timed> {
  const began = performance.now();
  let [at, startMs] = [Number.NaN, 0];
  const args = ["--state", tempFolder(), "--base-url", url, "--quiet", ...more];
  const { child, finished } = start("harvest", args);
  const guard = setTimeout(() => child.kill("SIGKILL"), GUARD_MS);
  void signalled?.then(() => {
    [at, startMs] = [performance.now(), performance.now() - began];
    child.kill("SIGTERM");
  });
  const ended = await finished;
  clearTimeout(guard);
  return { ...ended, startMs, afterSignalMs: Number.isNaN(at) ? 0 : performance.now() - at };
}

const LONG = 800_000;
const AUTHOR = "Author of this";
const LONG_TEXTS = Object.entries({
  newlines: "\n",
  blanks: " ",
  dashes: "—",
  "full stops": ".",
  "closing marks and newlines": ".\n",
  "its author's name": ` ${AUTHOR}`,
}).map(([name, unit]) => {
  const long = unit.repeat(LONG / Buffer.byteLength(unit));
  // A word between them and the author: nothing is cut, and all of it is looked at.
  return [name, `Words${long} said ${AUTHOR}`] as const;
});

test.each(LONG_TEXTS)(
  "a quote of 800 kB of %s before its author does not hang",
  async (_, quote) => {
    const long = quoteAt(20, { quote, author: AUTHOR });
    const quotes = [...libraryOf(19), long, ...libraryOf(200, 21)];
    const service = await FalseService.start({ quotes, cap: 50 });
    const { status, signal, stderr } = await harvestOf(service.url);
    expect({ status, signal, stderr }).toEqual({ status: 0, signal: null, stderr: "" });
  },
);

test("eight quotes of 200 kB of newlines are decoded in linear time", async () => {
  const quote = `Words${"\n".repeat(200_000)} said ${AUTHOR}`;
  const long = Array.from({ length: 8 }, (_, at) => quoteAt(at + 1, { quote, author: AUTHOR }));
  const quotes = [...long, ...libraryOf(1_000, 9)];
  const service = await FalseService.start({ quotes, cap: 50 });
  const { status, signal } = await harvestOf(service.url);
  expect({ status, signal }).toEqual({ status: 0, signal: null });
});

/** What the tag list answers, for ever; `next` is never null. */
const ENDLESS: Readonly<Record<string, (offset: number) => unknown[]>> = {
  "the same page again": () => [{ name: "tag-1", slug: "tag-1" }],
  "empty pages": () => [],
  "other tags again and again": (offset) =>
    Array.from({ length: 20 }, (_, at) => ({ name: `t${offset + at}`, slug: `t${offset + at}` })),
  "tags that cannot be read": () => [7, 8, 9],
};

/** Then the test ends all the same. */
const MOST_TAG_REQUESTS = 2_000;

const endlessTags =
  (results: (offset: number) => unknown[], count: () => number): FalseAnswer =>
  ({ url, offset }) => {
    if (url.pathname !== "/apiv1/tags/") return null;
    if (count() > MOST_TAG_REQUESTS) return answer({ detail: "too many" }, 404);
    const next = new URL(url);
    next.searchParams.set("offset", String(offset + 20));
    return answer({ count: 5, next: next.href, previous: null, results: results(offset) });
  };

test.each(Object.entries(ENDLESS))("a tag list without an end, %s, ends", async (_, results) => {
  const nights = await beginNights({ quotes: libraryOf(300), cap: 50 });
  let asked = 0;
  nights.service.script = endlessTags(results, () => ++asked);
  const ended = await nights.run();
  expect(ended.status).toBe(0);
  expect(isComplete(ended)).toBe(true);
  expect(ended.result?.remarks.join()).toMatch(/tag list/);
  expect(asked).toBeLessThanOrEqual(1_000);
});

test.each([
  ["never answers", silence],
  ["sends a byte at a time", drip],
  ["asks to wait for an hour", throttled({ "retry-after": "3600" })],
])("SIGTERM ends the harvest of a service that %s within 5 s", async (_, reply) => {
  const asked = Promise.withResolvers<void>();
  const server = await startFaultServer(() => {
    setTimeout(asked.resolve, 200);
    return reply;
  });
  onTestFinished(() => server.close());
  const ended = await harvestOf(server.url, ["--max-wait", "100000"], asked.promise);
  expect(ended.status).toBe(143);
  expect(ended.afterSignalMs).toBeLessThan(Math.max(5_000, 10 * ended.startMs));
});

test.each(LONG_TEXTS.slice(0, 1))(
  "SIGTERM ends a harvest within 5 s that reads 800 kB of %s",
  async (_, quote) => {
    const service = await FalseService.start({ quotes: libraryOf(400, 9), cap: 50 });
    service.quotes[20] = quoteAt(29, { quote, author: AUTHOR });
    const asked = Promise.withResolvers<void>();
    service.script = ({ list }) => {
      if (list === 1) setTimeout(asked.resolve, 200);
      return null;
    };
    const ended = await harvestOf(service.url, [], asked.promise);
    // Null where the signal came when all was done.
    expect([0, 143, null]).toContain(ended.status);
    expect(ended.signal).not.toBe("SIGKILL");
    expect(ended.afterSignalMs).toBeLessThan(Math.max(5_000, 10 * ended.startMs));
  },
);

test("64 unreadable records of 2,198 are refused with their reasons, and published where that is allowed", async () => {
  const quotes = libraryOf(2_198).map((quote) =>
    quote.pk % 34 === 1 && quote.pk < 2_170 ? { ...quote, likes: "7" as unknown as number } : quote,
  );
  const service = await FalseService.start({ quotes, cap: 100 });
  const refused = await harvestOf(service.url);
  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toMatch(/64 .*likes/s);
  const allowed = await harvestOf(service.url, ["--max-unreadable", "5"]);
  expect(allowed).toMatchObject({ status: 0, stderr: "" });
  expect(allowed.stdout).toMatch(/2134 quotes/);
});
