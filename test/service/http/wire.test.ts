/** What is no request at all, or hardly one: still answered in the contract's shape, and by the configured address. */
import { expect, test } from "vitest";
import { errorBodySchema } from "../../../src/contract/error-body.ts";
import { exchange, hangUp } from "../support/raw-socket.ts";
import { ask, running } from "../support/running.ts";

test.each([
  ["no HTTP at all", "rubbish\r\n\r\n", 400],
  ["an unknown method", "FOO / HTTP/1.1\r\nHost: x\r\n\r\n", 400],
  [
    "a Host that is none",
    "GET /apiv1/tags/ HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
    400,
  ],
  ["no Host", "GET /apiv1/tags/ HTTP/1.1\r\nConnection: close\r\n\r\n", 200],
  [
    "another host",
    "GET http://evil.example/apiv1/tags/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    421,
  ],
  ["a backslash", "GET /\\evil.example HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 400],
  ["CONNECT", "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n", 405],
  [
    "an expectation",
    "GET / HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n",
    417,
  ],
  ["a huge header", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`, 431],
  [
    "two lengths",
    "POST /apiv1/upvote/ HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\npk=1",
    400,
  ],
  [
    "length and chunks",
    "POST /apiv1/upvote/ HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    400,
  ],
])("%s on the wire", async (_, bytes, status) => {
  const { url } = await running();
  const { reply } = await exchange(url, bytes);
  const [head = "", body = ""] = reply.split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(reply).not.toContain("evil.example");
  if (status >= 400) expect(errorBodySchema.parse(JSON.parse(body)).errno).toBe(status);
});

test("who hangs up in the middle of a body is no bug", async () => {
  const { url } = await running();
  await hangUp(
    url,
    "POST /apiv1/upvote/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
  );
  // Bugs that the service met make `running` fail at the end.
  expect((await ask(`${url}/apiv1/tags/`)).status).toBe(200);
});
