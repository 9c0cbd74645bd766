import { expect, test } from "vitest";
import { readAnswer } from "../../src/islands/vote/answer.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

test.each<
  [status: number, body: string, retryAfter: string | null, outcome: string, waitMs: number]
>([
  [200, "", null, "counted", 0],
  [200, '{"pk":7,"likes":12}', null, "counted", 0],
  [200, "<p>Thanks</p>", null, "counted", 0],
  [202, "{}", null, "counted", 0],
  [204, "", null, "counted", 0],
  [200, '{"errno": 429, "errmsg": "too many requests"}', null, "later", 0],
  [200, '{"errno":400,"errmsg":"Bad Request"}', null, "refused", 0],
  [400, "", "60", "refused", 0],
  [401, "", null, "refused", 0],
  [404, "", null, "refused", 0],
  [429, "", "120", "later", 120_000],
  [429, "", "0", "later", 0],
  [429, "", "Sat, 21 Nov 2026 12:05:00 GMT", "later", 300_000],
  [429, "", "Fri, 31 Dec 9999 23:59:59 GMT", "later", 0],
  [429, "", "99999999999999999999", "later", 0],
  [429, '{"detail":"Expected available in 2837.0 seconds."}', null, "later", 2_837_000],
  [429, '{"detail":"in 3 stages"}', null, "later", 0],
  [503, "", "30", "later", 30_000],
  [500, "<h1>500 server error</h1>", null, "later", 0],
  [408, "", null, "later", 0],
  [502, "", "30", "unconfirmed", 0],
  [504, "", null, "unconfirmed", 0],
])(
  "readAnswer() of %d %j, Retry-After %j, is %s after %d ms",
  (status, body, header, outcome, waitMs) => {
    expect(readAnswer(status, body, header, NOW)).toEqual({ outcome, waitMs });
  },
);
