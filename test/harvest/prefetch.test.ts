/** Requests ahead of the walk: as many as `--concurrency` says are in flight, and never more. */
import { expect, test } from "vitest";
import { json } from "../support/http/index.ts";
import { answer, startHarvests } from "../support/service/index.ts";

test.each([1, 2, 4])(
  "with a concurrency of %i that many requests are in flight and never more, also while a gap is closed",
  async (concurrency) => {
    const { service, run, keys } = await startHarvests(600);
    let [inFlight, most] = [0, 0];
    service.fault = ({ number, url }) => {
      // The pages in flight begin after a gap then.
      if (number === 10) service.quotes = service.quotes.filter(({ pk }) => pk > 60);
      const reply = json(answer(service.quotes, url, { cap: 20 }));
      most = Math.max(most, ++inFlight);
      return (...to) => {
        setTimeout(() => {
          inFlight--;
          reply(...to);
        }, 5);
      };
    };
    await run({ concurrency });
    expect(most).toBe(concurrency);
    expect(keys()).toEqual(expect.arrayContaining(service.quotes.map(({ pk }) => pk)));
  },
);
