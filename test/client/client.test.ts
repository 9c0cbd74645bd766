/** Every row of docs/walk.md, section 8, over real sockets: what is retried, what is not, and which error it is. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createRequire } from "node:module";
import { expect, onTestFinished, test, vi } from "vitest";
import { LIMITS } from "../../src/client/connection.ts";
import { classifyCode } from "../../src/client/verdict.ts";
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
  ["a bomb", replies.bomb(5_000_000), 2],
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
  expect(server.journal).toHaveLength(4);
});

type Failure = new (...parts: never[]) => Error;

test.each<[string, Reply, Failure, number]>([
  ["204", replies.text("", 204), PermanentAnswer, 1],
  ["400", replies.json({ errno: 400, errmsg: "Bad Request" }, 400), PermanentAnswer, 1],
  ["404", replies.text("Not found", 404), PermanentAnswer, 1],
  ["405", replies.json({}, 405), PermanentAnswer, 1],
  ["410", replies.json({}, 410), PermanentAnswer, 1],
  ["422", replies.json({}, 422), PermanentAnswer, 1],
  ["451", replies.json({}, 451), PermanentAnswer, 1],
  ["401", replies.json({ detail: "Invalid token." }, 401), ConfigurationError, 1],
  ["403", replies.json({}, 403), ConfigurationError, 1],
  ["a redirect elsewhere", replies.redirect("http://127.0.0.2:1/"), ConfigurationError, 1],
  ["a redirect to nowhere", replies.text("", 302), PermanentAnswer, 1],
  ["a redirect without end", replies.redirect("/again/"), PermanentAnswer, 3],
  ["HTML with 200 for ever", replies.html, GarbledAnswer, 2],
  ["a bomb for ever", replies.bomb(5_000_000), GarbledAnswer, 2],
  ["500 for ever", replies.json({}, 500), ServerFault, 4],
  ["503 for ever", replies.json({}, 503), ServiceUnavailable, 4],
  ["504 for ever", replies.json({}, 504), ServerFault, 4],
])("get() gives up on %s", async (_, bad, failure, calls) => {
  const server = await serve(bad);
  const { client } = testClient(server.url, { limits: small });
  await expect(client.get("/apiv1/quotes/", {}, read)).rejects.toBeInstanceOf(failure);
  expect(server.journal).toHaveLength(calls);
});

test.each([
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "configuration", false],
  ["CERT_HAS_EXPIRED", "configuration", false],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "configuration", false],
  ["ECONNRESET", "transient", false],
  ["UND_ERR_HEADERS_TIMEOUT", "transient", true],
  ["UND_ERR_RES_EXCEEDED_MAX_SIZE", "garbled", false],
])("classifyCode() takes %s for %s, of one record: %j", (code, verdict, mayBeOfRecord) => {
  expect(classifyCode(code, 100, null)).toMatchObject({ verdict, mayBeOfRecord });
});

test("get() sends what the contract wants, and the credential in no other place", async () => {
  const server = await serve(replies.redirect("/moved/?limit=5"), good);
  const { client } = testClient(server.url, { token: "s3cret" });
  await client.get("/apiv1/quotes/", { limit: 5, lang: "en" }, read);
  const [first, second] = server.journal;
  expect(first?.url.search).toBe("?limit=5&lang=en");
  expect(first?.headers).toMatchObject({
    accept: "application/json",
    authorization: "Token s3cret",
    "user-agent": expect.stringMatching(/^commonplace\//) as string,
  });
  expect(second?.url.pathname).toBe("/moved/");
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

test("get() asks a closed port at most six times and says that there is no service", async () => {
  const { client, ledger, runtime } = testClient(CLOSED);
  await expect(client.get("/", {}, read)).rejects.toBeInstanceOf(ServiceUnavailable);
  expect(ledger.requests).toBeLessThanOrEqual(6);
  expect(runtime.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(120_000);
});

test("get() stops with its progress kept when a service that answered fails five times in a row", async () => {
  const server = await serve(good, replies.reset);
  const { client } = testClient(server.url);
  await client.get("/", {}, read);
  const two = await Promise.allSettled([client.get("/a", {}, read), client.get("/b", {}, read)]);
  expect(two.map((one) => one.status === "rejected" && one.reason instanceof StoppedEarly)).toEqual(
    [true, true],
  );
  expect(server.journal.length).toBeLessThanOrEqual(1 + 5 + 1);
  const sent = server.journal.length;
  await expect(client.get("/c", {}, read)).rejects.toThrow(/^Cannot continue after 5 failures/);
  expect(server.journal).toHaveLength(sent);
});

test("get() sends no request beyond the ceiling", async () => {
  const server = await serve(good);
  const { client } = testClient(server.url, { maxRequests: 3 });
  for (let call = 0; call < 3; call++) await client.get("/", {}, read);
  await expect(client.get("/", {}, read)).rejects.toThrow(/^Cannot send more than 3 requests/);
  expect(server.journal).toHaveLength(3);
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

test.each([0.05, 0.3])(
  "get() at a rate of %f transient failures wastes few requests, or stops",
  async (rate) => {
    let stops = 0;
    for (let seed = 1; seed <= 10; seed++) {
      const random = seeded(seed);
      let useful = 0;
      const server = await startFaultServer(({ number }) => {
        if (number > 0 && random() < rate) return replies.json({}, 503);
        useful++;
        return good;
      });
      onTestFinished(() => server.close());
      const { client } = testClient(server.url);
      try {
        for (let page = 0; page < 120; page++) await client.get("/", { page }, read);
      } catch (error) {
        expect(error).toBeInstanceOf(StoppedEarly);
        stops++;
      }
      // The last failure is one more than a retry: it was the first attempt of a page, or the fourth.
      expect(server.journal.length).toBeLessThanOrEqual(1.1 * useful + 5 + 1);
    }
    expect(stops).toBe(rate === 0.3 ? 10 : 0);
  },
);
