/** Every row of docs/walk.md, section 8, over real sockets: what is retried, what is not, and which error it is. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createRequire } from "node:module";
import { expect, onTestFinished, test, vi } from "vitest";
import { LIMITS } from "../../src/client/connection.ts";
import { classifyCode, classifyStatus } from "../../src/client/verdict.ts";
import {
  ConfigurationError,
  ServiceUnavailable,
  StoppedEarly,
  GarbledAnswer,
  PermanentAnswer,
  ServerFault,
} from "../../src/contract/errors.ts";
import { CLOSED, type Reply, serve, startFaultServer, testClient } from "../support/http/index.ts";
import { seeded } from "../support/run/index.ts";
import * as replies from "../support/http/index.ts";

/** undici has this for tests. */
const timers = createRequire(import.meta.url)("undici/lib/util/timers.js") as {
  tick(ms?: number): void;
};

const good = replies.json({ next: null, results: [] });
const read = (body: unknown) => {
  const ok = typeof body === "object" && body !== null && "results" in body;
  return ok ? { ok, value: body } : ({ ok, reason: "no page" } as const);
};

const small = { maxBytes: 10_000 };

test.each<[string, Reply, number]>([
  ["500", replies.json({}, 500), 2],
  ["502 with HTML", replies.text("<h1>Bad gateway</h1>", 502), 2],
  ["408", replies.json({}, 408), 2],
  ["425", replies.json({}, 425), 2],
  ["reset", replies.reset, 2],
  ["cut short", replies.cutShort({ results: ["x".repeat(500)] }), 2],
  ["cut short quietly", replies.cutShortQuietly({ results: ["x".repeat(500)] }), 2],
  ["not HTTP", replies.garbage, 2],
  ["HTML with 200", replies.html, 2],
  ["an error with status 200", replies.json({ errno: 400, errmsg: "Bad Request" }), 2],
  ["the wrong type", replies.json("quotes"), 2],
  ["an unknown host of a proxy", replies.json({}, 530), 2],
  ["throttled", replies.throttled({ "retry-after": "7" }), 2],
  ["429 in a body with status 200", replies.json({ errno: 429, errmsg: "too many requests" }), 2],
  ["redirected", replies.redirect("/elsewhere/"), 2],
])("get() recovers from an answer that is %s", async (_, bad, calls) => {
  const server = await serve(bad, good);
  const { client } = testClient(server.url, { limits: small });
  await expect(client.get("/apiv1/quotes/", {}, read)).resolves.toEqual({
    next: null,
    results: [],
  });
  expect(server.journal).toHaveLength(calls);
});

/** Lets a limit of undici's pass, whose timers all follow one clock. */
function pass(ms: number): void {
  timers.tick();
  timers.tick(ms);
}

/** Resolves when the client has a piece of a body. */
const pieceCame = () =>
  new Promise<void>((resolve) => {
    const channel = "undici:request:bodyChunkReceived";
    const hear = (): void => {
      unsubscribe(channel, hear);
      setImmediate(resolve);
    };
    subscribe(channel, hear);
  });

test("get() asks again when an answer is silent, stops in its middle, or has no end", async () => {
  const server = await serve(replies.silence, replies.stalled, replies.drip, good);
  const { client } = testClient(server.url);
  const deadlines: [ms: number, AbortController][] = [];
  const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const controller = new AbortController();
    deadlines.push([ms, controller]);
    return controller.signal;
  });
  onTestFinished(() => timeout.mockRestore());
  const got = client.get("/apiv1/quotes/", {}, read);
  await expect.poll(() => server.journal.length).toBe(1);
  pass(LIMITS.headersMs);
  await pieceCame();
  pass(LIMITS.bodyIdleMs);
  await pieceCame();
  const [ms, whole] = deadlines.at(-1) ?? [];
  expect(ms).toBe(LIMITS.totalMs);
  whole?.abort();
  await expect(got).resolves.toEqual({ next: null, results: [] });
  expect(server.journal).toHaveLength(5);
});

type Failure = new (...parts: never[]) => Error;

const start = (call: { url: URL }): boolean => call.url.searchParams.get("limit") === "1";

/** Answers the start of the list, and everything else with one reply; a first request has a good answer if asked. */
async function clientAt(bad: Reply, hadAnswers: boolean) {
  let isFirst = hadAnswers;
  const server = await startFaultServer((call) => {
    if (isFirst || start(call)) {
      isFirst = false;
      return good;
    }
    return bad;
  });
  onTestFinished(() => server.close());
  const made = testClient(server.url, { limits: small });
  if (hadAnswers) await made.client.get("/apiv1/tags/", {}, read);
  return { ...made, server };
}

/** What get() throws for the start of the list, and the requests that it sends there: before a first good answer, and after it. */
test.each<[string, Reply, Failure, number, Failure, number]>([
  ["204", replies.text("", 204), PermanentAnswer, 1, PermanentAnswer, 4],
  ["300", replies.json({}, 300), PermanentAnswer, 1, PermanentAnswer, 4],
  ["304", replies.text("", 304), PermanentAnswer, 1, PermanentAnswer, 4],
  ["400", replies.json({ errno: 400, errmsg: "no" }, 400), PermanentAnswer, 1, PermanentAnswer, 4],
  ["401", replies.json({}, 401), ConfigurationError, 1, PermanentAnswer, 4],
  ["402", replies.json({}, 402), PermanentAnswer, 1, PermanentAnswer, 4],
  // A smaller page is served: its size may be forbidden.
  ["403", replies.json({}, 403), PermanentAnswer, 2, PermanentAnswer, 4],
  ["404", replies.text("Not found", 404), PermanentAnswer, 1, PermanentAnswer, 4],
  ["406", replies.json({}, 406), PermanentAnswer, 1, PermanentAnswer, 4],
  ["410", replies.json({}, 410), PermanentAnswer, 1, PermanentAnswer, 4],
  ["413", replies.json({}, 413), ServerFault, 1, ServerFault, 1],
  ["418", replies.json({}, 418), PermanentAnswer, 1, PermanentAnswer, 4],
  ["422", replies.json({}, 422), PermanentAnswer, 1, PermanentAnswer, 4],
  ["451", replies.json({}, 451), PermanentAnswer, 1, PermanentAnswer, 4],
  ["420", replies.json({}, 420), ServerFault, 4, ServerFault, 4],
  ["429", replies.throttled(), ServerFault, 4, ServerFault, 4],
  ["429 with a time", replies.throttled({ "retry-after": "1" }), ServerFault, 4, ServerFault, 4],
  ["500", replies.json({}, 500), ServerFault, 4, ServerFault, 4],
  ["502", replies.text("<h1>Bad gateway</h1>", 502), ServerFault, 4, ServerFault, 4],
  ["503", replies.json({}, 503), ServerFault, 4, ServerFault, 4],
  ["504", replies.json({}, 504), ServerFault, 4, ServerFault, 4],
  ["522", replies.json({}, 522), ServerFault, 4, ServerFault, 4],
  ["a bomb", replies.bomb(5_000_000), ServerFault, 1, ServerFault, 1],
  ["cut short", replies.cutShort({ results: ["x".repeat(500)] }), ServerFault, 4, ServerFault, 4],
  ["HTML with 200", replies.html, ServerFault, 4, ServerFault, 4],
  ["an error with 200", replies.json({ success: false }), ServerFault, 4, ServerFault, 4],
  ["text with 200", replies.json("quotes"), GarbledAnswer, 2, ServerFault, 4],
  ["a record a line", replies.text('{"pk":1}\n{"pk":2}\n'), GarbledAnswer, 2, GarbledAnswer, 2],
  [
    "a redirect elsewhere",
    replies.redirect("http://127.0.0.2:1/"),
    ConfigurationError,
    1,
    ServerFault,
    4,
  ],
  [
    "a log-in page",
    replies.redirect("/accounts/login/?next=x"),
    ConfigurationError,
    1,
    ServerFault,
    4,
  ],
  ["a redirect to nowhere", replies.text("", 302), PermanentAnswer, 1, PermanentAnswer, 4],
  [
    "a redirect without end",
    replies.redirect("/again/?limit=5"),
    PermanentAnswer,
    3,
    PermanentAnswer,
    12,
  ],
])(
  "get() of a start of the list that answers %s",
  async (_, bad, before, firstCalls, after, calls) => {
    const isHere = ({ url }: { url: URL }): boolean => url.searchParams.get("limit") === "5";
    for (const [hadAnswers, failure, most] of [
      [false, before, firstCalls],
      [true, after, calls],
    ] as const) {
      const { client, server, ledger } = await clientAt(bad, hadAnswers);
      const got = client.get("/apiv1/quotes/", { limit: 5 }, read);
      await expect(got).rejects.toBeInstanceOf(failure);
      expect(server.journal.filter(isHere)).toHaveLength(most);
      // The failures of one address say nothing of the pace.
      expect(ledger.pace?.pauseMs ?? 0).toBeLessThan(500);
    }
  },
);

test.each([
  ["500", replies.json({}, 500), 1, 0],
  ["503", replies.json({}, 503), 2, 1],
  ["HTML", replies.html, 2, 1],
  ["a reset of a used connection", replies.reset, 3, 1],
  ["a cut body", replies.cutShort({ results: ["x".repeat(500)] }), 1, 0],
])("get() once of an address that answers %s", async (_, bad, calls, starts) => {
  const { client, server } = await clientAt(bad, true);
  await expect(client.get("/a", {}, read, "once")).rejects.toBeInstanceOf(ServerFault);
  expect(server.journal.filter(({ url }) => url.pathname === "/a").length).toBe(calls);
  expect(server.journal.filter(start)).toHaveLength(starts);
});

test.each([
  ["DEPTH_ZERO_SELF_SIGNED_CERT", false, "wrong setting"],
  ["CERT_HAS_EXPIRED", false, "wrong setting"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", true, "busy"],
  ["ECONNRESET", true, "busy"],
  ["ECONNREFUSED", false, "unreachable"],
  ["ENOTFOUND", false, "unreachable"],
  ["EAI_AGAIN", false, "busy"],
  ["UND_ERR_HEADERS_TIMEOUT", false, "busy"],
  ["UND_ERR_RES_EXCEEDED_MAX_SIZE", true, "too large"],
])("classifyCode() takes %s after a good answer (%j) for %s", (code, hadAnswers, verdict) => {
  const place = { inBody: false, hadAnswers, maxBytes: 100 };
  expect(classifyCode(code, place, null)).toMatchObject({ verdict });
});

test("classifyStatus() gives every status a verdict", () => {
  const all = Array.from({ length: 500 }, (_, at) => at + 100);
  const accepted = all.filter((status) => classifyStatus(status, true) === "accept");
  expect(accepted).toEqual(
    all.slice(100, 200).filter((status) => status !== 204 && status !== 205),
  );
  expect(classifyStatus(429, false)).toBe("busy");
  expect(classifyStatus(401, true)).toBe("refused");
});

test("get() sends what the contract wants, and the credential in no other place", async () => {
  const server = await serve(replies.redirect("/moved/?limit=5&lang=en"), good);
  const { client } = testClient(server.url, { token: "s3cret" });
  await client.get("/apiv1/quotes/", { limit: 5, lang: "en" }, read);
  const [first, second] = server.journal;
  expect(first?.url.search).toBe("?limit=5&lang=en");
  expect(first?.headers).toMatchObject({
    accept: "application/json, */*;q=0.1",
    authorization: "Token s3cret",
    "user-agent": expect.stringMatching(/^commonplace\//) as string,
  });
  expect(second?.url.pathname).toBe("/moved/");
});

test.each<[string, Reply]>([
  ["401", replies.json({ detail: "Authentication backend unavailable" }, 401)],
  ["403", replies.json({}, 403)],
  ["a redirect to a page of maintenance", replies.redirect("/maintenance.html")],
  ["a redirect to another host", replies.redirect("https://status.example/")],
])("%s before a first good answer of a service that has served is waited for", async (_, reply) => {
  const server = await serve(reply, reply, reply, good);
  const { client, runtime } = testClient(server.url, { hasServed: true });
  await client.get("/apiv1/quotes/", { limit: 5 }, read);
  expect(runtime.slept.length).toBeGreaterThan(0);
  const stranger = await serve(reply, reply, reply, good);
  const { client: other } = testClient(stranger.url);
  await expect(other.get("/apiv1/quotes/", { limit: 5 }, read)).rejects.toThrow(ConfigurationError);
});

const rows = (...results: object[]): Reply => replies.json({ next: null, results });

test("a list that is empty at first, of a service that has served, is asked for again", async () => {
  const server = await serve(rows(), rows(), rows(), rows({ pk: 1, quote: "One." }));
  const { client, runtime } = testClient(server.url, { hasServed: true });
  await expect(client.get("/apiv1/quotes/", { offset: 0 }, read)).resolves.toBeDefined();
  expect(server.journal).toHaveLength(5);
  expect(client.faults).toBe(0);
  // The pace is that of before.
  const slept = runtime.slept.length;
  await client.get("/apiv1/quotes/", { offset: 1 }, read);
  expect(runtime.slept).toHaveLength(slept);
});

test("a list that stays empty is believed within two minutes, and at once without time to wait", async () => {
  const server = await serve(rows());
  const { client, runtime } = testClient(server.url, { hasServed: true });
  await client.get("/apiv1/quotes/", { offset: 0 }, read);
  const waited = runtime.slept.reduce((sum, ms) => sum + ms, 0);
  expect(waited).toBeGreaterThan(60_000);
  expect(waited).toBeLessThanOrEqual(120_000);
  expect(server.journal.length).toBeLessThan(15);
  const other = testClient(server.url, { hasServed: true, maxWaitMs: 0 });
  await other.client.get("/apiv1/quotes/", { offset: 0 }, read);
  expect(other.runtime.slept).toEqual([]);
});

test("a credential that no longer works is told within a minute, and a redirect after the first wait", async () => {
  const credential = await serve(replies.json({ detail: "Invalid token." }, 401));
  const { client, runtime } = testClient(credential.url, { hasServed: true });
  await expect(client.get("/apiv1/quotes/", {}, read)).rejects.toThrow(/401 .* check QUOTES_TOKEN/);
  expect(runtime.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(60_000);
  expect(credential.journal.length).toBeLessThan(15);
  const moved = await serve(replies.redirect("https://other.example/"));
  const { client: other } = testClient(moved.url, { hasServed: true });
  await expect(other.get("/apiv1/quotes/", {}, read)).rejects.toThrow(ConfigurationError);
  expect(moved.journal.length).toBeLessThan(20);
});

test.each<[string, Reply]>([
  ["a Retry-After", replies.json({ message: "Out of call volume." }, 403, { "retry-after": "30" })],
  [
    "no request left",
    replies.json({}, 403, { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "30" }),
  ],
  ["words of a quota", replies.json({ error: { reason: "quotaExceeded" } }, 403)],
  ["words of a rate", replies.json({ message: "API rate limit exceeded" }, 403)],
])("403 with %s at the start is no wrong credential", async (_, reply) => {
  const server = await serve(reply, reply, good);
  const { client, runtime } = testClient(server.url);
  await client.get("/apiv1/quotes/", { limit: 5 }, read);
  expect(runtime.slept.length).toBeGreaterThan(0);
});

test.each([401, 403])("get() names the variables of the credential after %i", async (status) => {
  const server = await serve(replies.json({}, status));
  const { client } = testClient(server.url);
  await expect(client.get("/", {}, read)).rejects.toThrow(
    `answered ${status}; check QUOTES_TOKEN and QUOTES_TOKEN_SCHEME`,
  );
});

test("get() never repeats a credential in an error, not even one that the service echoes", async () => {
  const server = await serve(replies.json({ detail: "Invalid token s3cret." }, 401));
  const { client } = testClient(server.url, { token: "s3cret" });
  const failure: unknown = await client.get("/", {}, read).catch((error: unknown) => error);
  expect(String(failure)).toContain("Invalid token");
  expect(JSON.stringify(failure) + String(failure)).not.toContain("s3cret");
});

/** How long a service that never answers, or never again, is waited for: in seconds, and the error that follows. */
test.each<[string, Reply | null, boolean, Failure, number]>([
  ["a closed port", null, false, ServiceUnavailable, 10],
  ["503", replies.json({}, 503), false, ServiceUnavailable, 120],
  ["429 without a time", replies.throttled(), false, ServiceUnavailable, 120],
  ["HTML", replies.html, false, ServiceUnavailable, 120],
  ["an error with 200", replies.json({ error: "later" }), false, ServiceUnavailable, 120],
  ["resets", replies.reset, false, ServiceUnavailable, 120],
  ["503", replies.json({}, 503), true, StoppedEarly, 300],
  ["403", replies.json({}, 403), true, StoppedEarly, 300],
  ["420", replies.json({}, 420), true, StoppedEarly, 300],
  ["resets", replies.reset, true, StoppedEarly, 300],
  [
    "a message beside no results",
    replies.json({ message: "busy", results: [] }),
    true,
    StoppedEarly,
    300,
  ],
])(
  "get() waits for a service with %s, after a good answer: %j",
  async (_, bad, hadAnswers, failure, seconds) => {
    const server = await (hadAnswers ? serve(good, bad ?? good) : serve(bad ?? good));
    const { client, runtime } = testClient(bad === null ? CLOSED : server.url);
    if (hadAnswers) await client.get("/", {}, read);
    const before = runtime.time;
    const error: unknown = await client.get("/a", {}, read).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(failure);
    expect(error).not.toBeInstanceOf(ServerFault);
    // What is refused after a good answer is no matter of the settings.
    expect(hadAnswers && String(error).includes("QUOTES_")).toBe(false);
    expect((runtime.time - before) / 1_000).toBeCloseTo(seconds, 0);
    expect(server.journal.length).toBeLessThan(20);
    const sent = server.journal.length;
    await expect(client.get("/b", {}, read)).rejects.toThrow(error);
    expect(server.journal).toHaveLength(sent);
  },
);

test.each([400, 401, 402, 404, 410])(
  "get() waits for a limiter that answers %i, also for the start of the list",
  async (status) => {
    let served = 0;
    const made = { now: (): number => 0 };
    const [first, until] = [5, 90_000];
    const server = await startFaultServer(() =>
      ++served > first && made.now() < until ? replies.json({}, status) : good,
    );
    onTestFinished(() => server.close());
    const { client, runtime } = testClient(server.url);
    const began = runtime.time;
    made.now = () => runtime.time - began;
    for (let page = 0; page < 8; page++) {
      const got = client.get("/apiv1/quotes/", { limit: 5, offset: page * 5 }, read);
      // A single refusal is that of the address: its caller asks again.
      await got.catch(() => client.get("/apiv1/quotes/", { limit: 4, offset: page * 5 }, read));
    }
    expect(server.journal.length).toBeLessThan(25);
  },
);

test.each([2, 3])("get() reads all of a service whose every %i. answer is 502", async (nth) => {
  let number = 0;
  const server = await startFaultServer(() =>
    ++number % nth === 0 ? replies.json({}, 502) : good,
  );
  onTestFinished(() => server.close());
  const { client, runtime } = testClient(server.url, { concurrency: 1 });
  for (let page = 0; page < 40; page++) {
    await client.get("/apiv1/quotes/", { page }, read, page % 4 === 0 ? "once" : undefined);
  }
  // Pauses do not help such a service, and do not grow without end.
  expect(Math.max(...runtime.slept)).toBeLessThan(15_000);
});

test("get() sends no request beyond the ceiling", async () => {
  const server = await serve(good);
  const { client } = testClient(server.url, { maxRequests: 3 });
  for (let call = 0; call < 3; call++) await client.get("/", {}, read);
  await expect(client.get("/", {}, read)).rejects.toThrow(
    /^Cannot send more than 3 requests: the budget is spent$/,
  );
  expect(server.journal).toHaveLength(3);
  const { client: least } = testClient(server.url, { maxRequests: 1 });
  await least.get("/", {}, read);
  await expect(least.get("/", {}, read)).rejects.toThrow(/1 request: .*, --max-requests 2 is the/);
});

test.each([
  ["before an answer", replies.silence],
  ["in the middle of a body", replies.drip],
])("get() ends at once when its signal is aborted, %s", async (_, reply) => {
  const server = await serve(reply);
  const { client, stop } = testClient(server.url);
  const asked = client.get("/", {}, read);
  await (reply === replies.drip ? pieceCame() : expect.poll(() => server.journal.length).toBe(1));
  stop.abort(new Error("stopped by SIGTERM"));
  await expect(asked).rejects.toThrow("stopped by SIGTERM");
});

test.each([0.05, 0.2, 0.4])(
  "get() reads all of a service that fails at a rate of %f",
  async (rate) => {
    const random = seeded(7);
    const server = await startFaultServer(({ number }) =>
      number > 0 && random() < rate ? replies.json({}, 503) : good,
    );
    onTestFinished(() => server.close());
    const { client } = testClient(server.url);
    let faults = 0;
    for (let page = 0; page < 60; page++) {
      const got = client.get("/", { page }, read);
      await got.catch((error: unknown) => {
        expect(error).toBeInstanceOf(ServerFault);
        faults++;
      });
    }
    // Four failures at one address, while the start is served, may be chance: the caller asks again.
    expect(faults).toBeLessThan(60 * rate ** 2);
  },
);

test("get() asks a service that accepts few limits for the start of its list with one of them", async () => {
  const server = await startFaultServer(({ url }) =>
    ["25", "50"].includes(url.searchParams.get("limit") ?? "") ? good : replies.json({}, 422),
  );
  onTestFinished(() => server.close());
  const { client, runtime } = testClient(server.url);
  await client.get("/apiv1/quotes/", { limit: 25, offset: 0 }, read);
  const before = runtime.time;
  // Two refusals in a row may be a service that is away.
  for (const limit of [31, 30]) {
    const query = { limit, offset: 25 };
    await expect(client.get("/apiv1/quotes/", query, read)).rejects.toThrow(PermanentAnswer);
  }
  expect(runtime.time - before).toBeLessThan(5_000);
  await client.get("/apiv1/quotes/", { limit: 25, offset: 25 }, read);
  expect(server.journal.map(({ url }) => url.searchParams.get("limit"))).toEqual(
    "25 31 30 1 25 30 25".split(" "),
  );
});

const busy = replies.json({}, 503);

test.each([
  ["--first-wait", {}, busy],
  ["--max-wait", { maxWaitMs: 2_000 }, busy],
  ["--max-silence", { maxWaitMs: 3_600_000 }, good],
])("a silence names the option that ends it: %s", async (option, options, first) => {
  const server = await serve(first, busy);
  const { client } = testClient(server.url, options);
  const readOn = async (): Promise<void> => {
    for (let offset = 0; ; offset += 20) await client.get("/apiv1/quotes/", { offset }, read);
  };
  await expect(readOn()).rejects.toThrow(new RegExp(`no good answer for .* 503; ${option} sets`));
});

test("a service that stops answering teaches no long pauses for the next run", async () => {
  let answers = 0;
  const server = await startFaultServer(() => (answers++ < 3 ? good : replies.json({}, 503)));
  onTestFinished(() => server.close());
  const { client, ledger } = testClient(server.url, { maxWaitMs: 3_600_000 });
  const readOn = async (): Promise<void> => {
    for (let offset = 0; ; offset += 20) await client.get("/apiv1/quotes/", { offset }, read);
  };
  await expect(readOn()).rejects.toThrow(/^Cannot continue: no good answer for 300 s/);
  expect(ledger.pace).toEqual({ width: 1, pauseMs: 500 });
});

test("get() names the type of what is no JSON", async () => {
  const csv = replies.text("pk,quote\n1,Be.\n", 200, { "content-type": "text/csv; charset=utf-8" });
  const { client } = testClient((await serve(csv)).url);
  await expect(client.get("/", {}, read)).rejects.toThrow(
    "the service answered with text/csv that is no JSON",
  );
});

test("get() says after which answer the service needs pauses, where they are too long", async () => {
  const server = await serve(good, replies.json({ detail: "Waking up" }, 503));
  const { client } = testClient(server.url, { maxWaitMs: 2_000 });
  await client.get("/", {}, read);
  await expect(client.get("/", {}, read)).rejects.toThrow(
    /: the service needs pauses \(the service answered 503 "Waking up"\), longer than --max-wait allows/,
  );
});
