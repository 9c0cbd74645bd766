/** The ledger outlives the process: what was spent and until when to wait (docs/walk.md, section 8). */
import { expect, test } from "vitest";
import { openLedger } from "../../src/snapshot/work/ledger.ts";
import { openIntactWork } from "../../src/snapshot/recover.ts";
import { tempFolder } from "../support/run/index.ts";

const HOUR = 3_600_000;

test("openLedger() goes on with the session of a run that was killed, and counts what was sent", () => {
  const stateDir = tempFolder();
  const first = openIntactWork(stateDir);
  const killed = openLedger(first, "a", () => HOUR);
  for (let call = 0; call < 6; call++) killed.countRequest();
  // All other writes are forced to the disk.
  expect(first.column("PRAGMA synchronous")).toEqual([2]);
  killed.postpone(5 * HOUR);
  killed.postpone(2 * HOUR);
  killed.addWait(300);
  first.close();
  const second = openIntactWork(stateDir);
  const ledger = openLedger(second, "a", () => HOUR + 1);
  expect(ledger).toMatchObject({ requests: 6, waitedMs: 300, notBefore: 5 * HOUR });
  expect(openLedger(second, "b", () => HOUR)).toMatchObject({ requests: 0, notBefore: 0 });
  second.close();
});

test("openLedger() begins a new session after one that ended in good order, or long ago", () => {
  const stateDir = tempFolder();
  const work = openIntactWork(stateDir);
  const first = openLedger(work, "a", () => HOUR);
  first.countRequest();
  first.close();
  expect(openLedger(work, "a", () => HOUR).requests).toBe(0);
  openLedger(work, "a", () => HOUR).countRequest();
  expect(openLedger(work, "a", () => 24 * HOUR).requests).toBe(0);
  work.close();
});

test("openLedger() goes on with a session that ended in good order where it is the sequel", () => {
  const work = openIntactWork(tempFolder());
  const first = openLedger(work, "a", () => HOUR);
  for (let call = 0; call < 3; call++) first.countRequest();
  first.close();
  const sequel = openLedger(work, "a", () => HOUR, true);
  sequel.countRequest();
  expect(sequel.requests).toBe(4);
  // Killed in the sequel, the run goes on with both.
  expect(openLedger(work, "a", () => HOUR).requests).toBe(4);
  work.close();
});

test.each([23 * HOUR, 8.64e15, Infinity])(
  "openLedger() postpones to 22 hours from now at most, asked for %d",
  (until) => {
    const work = openIntactWork(tempFolder());
    const ledger = openLedger(work, "a", () => HOUR);
    ledger.postpone(until);
    expect(ledger.notBefore).toBe(23 * HOUR);
    expect(openLedger(work, "a", () => HOUR).notBefore).toBe(23 * HOUR);
    // A time stored by a clock that was an hour ahead is ignored once the clock is right.
    expect(openLedger(work, "a", () => 0).notBefore).toBe(0);
    work.close();
  },
);

test("openLedger() knows the quota of an earlier run: what headers state outweighs what refusals show", () => {
  const work = openIntactWork(tempFolder());
  const first = openLedger(work, "a", () => HOUR);
  for (let call = 0; call < 9; call++) first.countRequest();
  first.learnQuota(null, 5_000);
  expect(first.quota).toEqual({ limit: 8, periodMs: 5_000, from: "refusals", at: HOUR });
  first.learnQuota(100, 60_000);
  first.learnQuota(null, 5_000);
  first.close();
  const known = { limit: 100, periodMs: 60_000, from: "headers", at: HOUR };
  expect(openLedger(work, "a", () => HOUR).quota).toEqual(known);
  work.close();
});
