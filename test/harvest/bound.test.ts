/** The bound on every run (docs/walk.md, section 7). */
import { expect, test } from "vitest";
import { EVERYTHING, type GetQuotes } from "../../src/contract/window.ts";
import { boundRequests, idleAllowed } from "../../src/harvest/bound.ts";
import { Run } from "../../src/snapshot/index.ts";
import { openWork } from "../../src/snapshot/work/work.ts";

const SELECTION = { languages: [], tags: [], curated: false };

test.each([0, 200, 5_000])(
  "boundRequests sends no more where nothing new comes, of %i known quotes in pages of 20",
  async (expected) => {
    using work = openWork(":memory:");
    const store = new Run(work, "bound", SELECTION, 0);
    let sent = 0;
    const get: GetQuotes = (_, offset) => {
      sent++;
      const nothing = { quotes: [], quarantined: [], next: { offset: offset + 20 }, count: null };
      return Promise.resolve({ ...nothing, offset, shape: "envelope" });
    };
    const options = { store, selection: SELECTION, expected, sent: () => sent };
    const bounded = boundRequests(get, options);
    const walk = async (): Promise<void> => {
      for (let offset = 0; ; offset += 20) await bounded(EVERYTHING, offset, 20);
    };
    await expect(walk()).rejects.toThrow(/brought no new quote, and 0 requests brought all/);
    expect(sent).toBe(idleAllowed(expected, 20));
    expect(sent).toBe(3 * Math.ceil(expected / 20) + 50);
  },
);
