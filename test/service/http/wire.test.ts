/** What is no request at all, or hardly one: still answered in the contract's shape, and by the configured address. */
import { expect, test } from "vitest";
import { errorBodySchema } from "../../../src/contract/body.ts";
import { exchange, hangUp } from "../support/raw-socket.ts";
import { ask, running } from "../support/running.ts";

const CLOSE = "Connection: close\r\n\r\n";
const GET = "GET /apiv1/tags/ HTTP/1.1\r\n";
const POST = "POST /apiv1/upvote/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n";
const EVIL = "evil.example";

test.each([
  ["no HTTP at all", "rubbish\r\n\r\n", 400],
  ["an unknown method", "FOO / HTTP/1.1\r\nHost: x\r\n\r\n", 400],
  ["a Host that is none", `${GET}Host: a b\r\n${CLOSE}`, 400],
  ["no Host", `${GET}${CLOSE}`, 200],
  ["another host", `GET http://${EVIL}/apiv1/tags/ HTTP/1.1\r\nHost: ${EVIL}\r\n${CLOSE}`, 421],
  ["a backslash", `GET /\\${EVIL} HTTP/1.1\r\nHost: x\r\n${CLOSE}`, 400],
  ["CONNECT", "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n", 405],
  ["an expectation", `GET / HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n${CLOSE}`, 417],
  ["a huge header", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`, 431],
  ["two lengths", `${POST}Content-Length: 5\r\n\r\npk=1`, 400],
  ["length and chunks", `${POST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
])("%s on the wire is answered in the contract's shape", async (_, bytes, status) => {
  const { url } = await running();
  const { reply } = await exchange(url, bytes);
  const [head = "", body = ""] = reply.split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(reply).not.toContain(EVIL);
  if (status >= 400) expect(errorBodySchema.parse(JSON.parse(body)).errno).toBe(status);
});

test("a client that hangs up in the middle of a body is no bug", async () => {
  const { url } = await running();
  await hangUp(url, `${POST.replace("4", "99")}Content-Type: application/json\r\n\r\n{`);
  // Bugs that the service met make `running` fail at the end.
  expect((await ask(`${url}/apiv1/tags/`)).status).toBe(200);
});
