/** Credential, quota and origin. */
import { onTestFinished, expect, test, vi } from "vitest";
import { exchange } from "../support/raw-socket.ts";
import { ask, post, running } from "../support/running.ts";

const TOKEN = "0123456789abcdef";

test.each([
  ["none", undefined, 401],
  ["the right one", `Token ${TOKEN}`, 200],
  ["the word in another case", `token ${TOKEN}`, 200],
  ["a wrong one", "Token 0123456789abcdee", 401],
  ["half of it", "Token 01234567", 401],
  ["another scheme", `Bearer ${TOKEN}`, 401],
  ["no scheme", TOKEN, 401],
])("with a token asked for, %s", async (_, credential, status) => {
  const { url } = await running({ token: TOKEN });
  const headers = credential === undefined ? {} : { Authorization: credential };
  for (const path of ["/apiv1/quotes/", "/apiv1/nothing/"]) {
    const answer = await ask(url + path, { headers });
    expect(answer.status).toBe(status === 200 && path.endsWith("nothing/") ? 404 : status);
    if (status === 401) {
      expect(answer.headers.get("WWW-Authenticate")).toBe("Token");
      expect(answer.body).toEqual({ errno: 401, errmsg: "Unauthorized" });
    }
  }
});

test("without a credential no vote is counted, and pictures and pages are shown", async () => {
  const { url, store } = await running({ token: TOKEN });
  expect((await post(`${url}/apiv1/upvote/`, { pk: "1" })).status).toBe(401);
  expect(store.votes()).toEqual([]);
  for (const path of ["/", "/docs/", "/openapi.json", "/media/tile-2.webp"]) {
    expect((await fetch(url + path)).status).toBe(200);
  }
});

/** Time passes by command alone. @returns lets milliseconds pass */
function holdClock(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms) => void vi.setSystemTime(Date.now() + ms);
}

test("a spent quota is 429 by the contract until it is renewed", async () => {
  const pass = holdClock();
  const { url, store } = await running({ quota: { requests: 3, seconds: 60 } });
  const asked = async (): Promise<number> => (await ask(`${url}/apiv1/tags/`)).status;
  expect([await asked(), await asked(), await asked()]).toEqual([200, 200, 200]);
  // `Retry-After` is rounded up.
  pass(20);
  const refused = await post(`${url}/apiv1/upvote/`, { pk: "1" });
  expect(refused).toMatchObject({ status: 429, body: { errno: 429, errmsg: "too many requests" } });
  expect(refused.headers.get("Retry-After")).toBe("60");
  expect(store.votes()).toEqual([]);
  expect((await fetch(`${url}/docs/`)).status).toBe(200);
  pass(58_980);
  expect(await asked()).toBe(429);
  pass(1_001);
  expect(await asked()).toBe(200);
});

const ORIGIN = "https://site.example";

test.each([
  ["an answer", {}, "", 200],
  ["a refusal for the credential", { token: TOKEN }, "", 401],
  ["a refusal for the quota", { quota: { requests: 0, seconds: 60 } }, "", 429],
  ["a bad request", {}, "?curated=9", 400],
])("pages of the origin may read %s, and when to come back", async (_, options, query, status) => {
  const { url } = await running({ cors: ORIGIN, ...options });
  const answer = await ask(`${url}/apiv1/quotes/${query}`, { headers: { Origin: ORIGIN } });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("Access-Control-Allow-Origin")).toBe(ORIGIN);
  expect(answer.headers.get("Access-Control-Expose-Headers")).toBe("Retry-After");
  expect(answer.headers.get("Access-Control-Allow-Credentials")).toBeNull();
  expect(answer.headers.get("Vary")).toContain("Origin");
});

test.each([
  ["without --cors", undefined, ORIGIN],
  ["of another origin", ORIGIN, "https://evil.example"],
  ["without an origin", ORIGIN, "null"],
  ["of a longer origin", ORIGIN, `${ORIGIN}.evil.example`],
])("pages %s may not read answers", async (_, cors, origin) => {
  const { url } = await running({ ...(cors !== undefined && { cors }) });
  const { headers } = await ask(`${url}/apiv1/quotes/`, { headers: { Origin: origin } });
  expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
});

test("a preflight is allowed what is needed, and costs neither quota nor credential", async () => {
  const quota = { requests: 1, seconds: 60 };
  const { url } = await running({ cors: ORIGIN, token: TOKEN, quota });
  const headers = { Origin: ORIGIN, "Access-Control-Request-Method": "POST" };
  for (let n = 0; n < 3; n++) {
    const preflight = await ask(`${url}/apiv1/upvote/`, { method: "OPTIONS", headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("Access-Control-Allow-Origin")).toBe(ORIGIN);
    expect(preflight.headers.get("Access-Control-Allow-Methods")).toBe("GET,HEAD,POST");
    const allowed = preflight.headers.get("Access-Control-Allow-Headers");
    expect(allowed).toBe("Authorization,Content-Type");
  }
  const init = { method: "OPTIONS", headers: { Origin: ORIGIN } };
  const plain = await ask(`${url}/apiv1/upvote/`, init);
  expect([plain.status, plain.headers.get("Allow")]).toEqual([200, "POST, OPTIONS"]);
});

/** The status for a request with this Host, as a page sends it whose name was pointed at this machine. */
async function statusFor(url: string, host: string, method = "GET"): Promise<number> {
  const head = `${method} /apiv1/quotes/ HTTP/1.1\r\nHost: ${host}`;
  const { reply } = await exchange(url, `${head}\r\nConnection: close\r\n\r\n`);
  return Number(reply.split(" ", 2)[1]);
}

test.each([
  ["localhost", 200],
  ["LOCALHOST:4321", 200],
  ["quotes.localhost:80", 421],
  ["127.0.0.1", 200],
  ["127.8.8.8:8080", 200],
  ["[::1]:8080", 200],
  ["public.example", 200],
  ["allowed.example:81", 200],
  ["Allowed.Example", 200],
  ["evil.example", 421],
  ["127.evil.example", 421],
  ["127.0.0.1.evil.example", 421],
  ["localhost.evil.example", 421],
  ["evillocalhost", 421],
  ["192.0.2.1", 421],
  ["[2001:db8::1]", 421],
  ["[2001:db8::2]:8080", 200],
  ["xn--bcher-kva.example", 200],
])("a request for the host %s is %d", async (host, status) => {
  const allowedHosts = ["Allowed.example", "2001:db8:0::2", "bücher.example"];
  const { url } = await running({ publicUrl: "https://public.example", allowedHosts });
  expect(await statusFor(url, host)).toBe(status);
});

test("a foreign host gets no answer to a preflight, and counts no vote", async () => {
  const { url, store } = await running({ cors: "http://site.example" });
  expect(await statusFor(url, "evil.example", "OPTIONS")).toBe(421);
  const form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 4";
  const head = `POST /apiv1/upvote/ HTTP/1.1\r\nHost: evil.example\r\n${form}`;
  const { reply } = await exchange(url, `${head}\r\nConnection: close\r\n\r\npk=1`);
  expect(reply).toMatch(/^HTTP\/1\.1 421 /);
  expect(store.votes()).toEqual([]);
});
