/**
 * Sixty forms of `Retry-After`, with the service's clock right, an hour early and an hour late: no request may be
 * early (docs/walk.md, section 8).
 */
import { expect, onTestFinished, test } from "vitest";
import { json, startFaultServer, testClient } from "../support/http/index.ts";

const HOUR = 3_600_000;
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

type Write = (at: number) => string;

/** The three forms of RFC 9110, section 5.6.7. */
const fixdate: Write = (at) => new Date(at).toUTCString();
const rfc850: Write = (at) => {
  const [, day, month, year, time] = /, (\d+) (\w+) \d\d(\d+) ([\d:]+)/.exec(fixdate(at)) ?? [];
  return `${DAYS[new Date(at).getUTCDay()] ?? ""}, ${day}-${month}-${year} ${time} GMT`;
};
const asctime: Write = (at) => {
  const [, weekday, day, month, year, time] =
    /(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(fixdate(at)) ?? [];
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
};

interface Form {
  /** What the header says, at the service's own time. */
  readonly header: Write;
  /** Milliseconds that it asks for; what says nothing is answered by a minute's guess. */
  readonly wait: number;
}

const WAITS = [0, 1, 2, 7, 59, 60, 61, 119, 600, 2_837, 3_599, 3_600, 86_400];
const digits = WAITS.flatMap((seconds): Form[] => [
  { header: () => String(seconds), wait: seconds * 1_000 },
]);
const dates = WAITS.slice(1).flatMap((seconds): Form[] =>
  [fixdate, rfc850, asctime].map((write) => ({
    header: (now) => write(now + seconds * 1_000),
    wait: seconds * 1_000,
  })),
);
const odd: Form[] = [
  { header: () => " 7 ", wait: 7_000 },
  { header: () => "007", wait: 7_000 },
  { header: () => "1.5", wait: 1_500 },
  { header: (now) => fixdate(now - HOUR), wait: 0 },
  ...[
    ...["-5", "soon", "1e3", "0x10", "7s", "7, 8", "2026-11-21T12:00:00Z", "tomorrow GMT", "+7"],
    ...["Sat, 21 Nov 2026 25:02:00 GMT", "Sat, 21 Nov 2026 12:02:00 CET"],
  ].map((header): Form => ({ header: () => header, wait: 60_000 })),
];
const FORMS = [...digits, ...dates, ...odd];

test.each([0, HOUR, -HOUR])(
  "no request comes early in any form, the service's clock being %i ms ahead",
  async (skew) => {
    for (const form of FORMS) {
      const arrivals: number[] = [];
      // A clock that does not strike whole seconds: HTTP dates leave the rest out.
      const start = Date.UTC(2026, 10, 21, 12, 0, 0, 777);
      let now = (): number => start;
      const server = await startFaultServer(() => {
        arrivals.push(now());
        const theirs = now() + skew;
        if (arrivals.length > 1) return json({ results: [] });
        return json({ errno: 429, errmsg: "too many requests" }, 429, {
          date: fixdate(theirs),
          "retry-after": form.header(Math.floor(theirs / 1_000) * 1_000),
        });
      });
      onTestFinished(() => server.close());
      const { client, runtime } = testClient(server.url, { maxWaitMs: Infinity });
      runtime.time = start;
      now = runtime.now;
      await client.get("/", {}, (value) => ({ ok: true, value }));
      expect(arrivals).toHaveLength(2);
      const waited = (arrivals[1] ?? 0) - (arrivals[0] ?? 0);
      expect(waited).toBeGreaterThanOrEqual(form.wait);
      expect(waited).toBeLessThanOrEqual(form.wait * 1.1 + 1);
      await server.close();
    }
  },
);
