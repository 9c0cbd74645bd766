/** A service that fails three times in ten: few requests are wasted, or the client stops cleanly (docs/walk.md, section 8). */
import { expect, onTestFinished, test } from "vitest";
import { StoppedEarly } from "../../src/contract/errors.ts";
import { startFaultServer, testClient } from "../support/http/index.ts";
import { seeded } from "../support/run/index.ts";
import * as replies from "../support/http/index.ts";

test.each([0.05, 0.3])("get() at a rate of %f transient failures", async (rate) => {
  let stops = 0;
  for (let seed = 1; seed <= 10; seed++) {
    const random = seeded(seed);
    let useful = 0;
    const server = await startFaultServer(({ number }) => {
      if (number > 0 && random() < rate) return replies.json({}, 503);
      useful++;
      return replies.json({ results: [] });
    });
    onTestFinished(() => server.close());
    const { client } = testClient(server.url);
    try {
      for (let page = 0; page < 120; page++) {
        await client.get("/", { page }, (value) => ({ ok: true, value }));
      }
    } catch (error) {
      expect(error).toBeInstanceOf(StoppedEarly);
      stops++;
    }
    // The last failure is one more than a retry: it was the first attempt of a page, or the fourth.
    expect(server.journal.length).toBeLessThanOrEqual(1.1 * useful + 5 + 1);
    await server.close();
  }
  expect(stops).toBe(rate === 0.3 ? 10 : 0);
});
