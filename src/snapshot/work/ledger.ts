/**
 * Stores by host the requests sent, the time before which none may be sent, and the known quota.
 *
 * A session has one request budget. A run resumes the session of a killed run, and otherwise begins a new one.
 */
import {
  LONGEST_WAIT_MS,
  type ClosedPlace,
  type KnownPace,
  type LearnedQuota,
} from "../../contract/ledger.ts";
import type { Database } from "../../sqlite/database.ts";
import { readTrait, saveTrait } from "./traits.ts";

/** A killed session that began longer ago than this is not resumed: the next run has its own budget. */
const SESSION_MS = 12 * 3_600_000;

const PACE = "pace";
const CLOSED = "closed places";

/** @param sequel whether to resume the latest session although it ended */
export function openLedger(database: Database, host: string, now: () => number, sequel = false) {
  database.run("INSERT INTO hosts (host) VALUES (?) ON CONFLICT DO NOTHING", host);
  const session = resumeSession(database, host, now(), sequel);
  const known = database.get<{ not_before: number; quota: string | null }>(
    "SELECT not_before, quota FROM hosts WHERE host = ?",
    host,
  );
  const stored = known?.not_before ?? 0;
  /** Requests that the session had sent when the service last refused one. */
  let refusedAfter = 0;
  const write = (ended: number | null): void => {
    const sql = "UPDATE sessions SET requests = ?, waited_ms = ?, ended = ? WHERE id = ?";
    database.run(sql, ledger.requests, Math.round(ledger.waitedMs), ended, session.id);
  };
  const writeQuota = (): void => {
    if (ledger.quota === null) return;
    database.run("UPDATE hosts SET quota = ? WHERE host = ?", JSON.stringify(ledger.quota), host);
  };
  const ledger = {
    requests: session.requests,
    waitedMs: session.waitedMs,
    /** Known quota of the host; null when unknown. */
    quota: JSON.parse(known?.quota ?? "null") as LearnedQuota | null,
    // A later time was stored while the local clock was wrong.
    notBefore: stored > now() + LONGEST_WAIT_MS ? 0 : stored,
    countRequest(): void {
      ledger.requests++;
      // A power cut may lose the requests in flight: the next window makes the count durable.
      const sql = "UPDATE sessions SET requests = ? WHERE id = ?";
      database.runWithoutSync(sql, ledger.requests, session.id);
    },
    postpone(until: number): void {
      if (until <= ledger.notBefore) return;
      ledger.notBefore = Math.ceil(Math.min(until, now() + LONGEST_WAIT_MS));
      database.run("UPDATE hosts SET not_before = ? WHERE host = ?", ledger.notBefore, host);
    },
    addWait(ms: number): void {
      ledger.waitedMs += ms;
      write(null);
    },
    pace: readTrait<KnownPace>(database, host, PACE),
    keepPace(known: KnownPace): void {
      ledger.pace = known;
      saveTrait(database, host, PACE, known);
    },
    closed: readTrait<readonly ClosedPlace[]>(database, host, CLOSED) ?? [],
    keepClosed(places: readonly ClosedPlace[]): void {
      ledger.closed = places;
      saveTrait(database, host, CLOSED, places);
    },
    /**
     * Headers state the limit. Without them a refusal shows it: the limit is the number of requests since the last refusal,
     * and the requested wait is a part of the period. Two refusals in one period show nothing.
     */
    learnQuota(limit: number | null, resetMs: number | null): void {
      const passed = ledger.requests - 1 - refusedAfter;
      const before = ledger.quota;
      const periodMs = Math.max(resetMs ?? 0, before?.periodMs ?? 0) || null;
      if (limit !== null) ledger.quota = { limit, periodMs, from: "headers", at: now() };
      else if (passed > 0 && before?.from !== "headers") {
        ledger.quota = { limit: passed, periodMs, from: "refusals", at: now() };
      }
      if (limit !== null) return;
      refusedAfter = ledger.requests;
      // Stored at once after a refusal; headers change with every answer.
      writeQuota();
    },
    /** Ends the session. */
    close(): void {
      writeQuota();
      write(now());
    },
  };
  return ledger;
}

type Session = { readonly id: number; readonly requests: number; readonly waitedMs: number };

/** Resumes a killed session, or with `sequel` the latest one; else begins a new one. */
function resumeSession(database: Database, host: string, now: number, sequel: boolean): Session {
  const resumed = database.get<Session>(
    `UPDATE sessions SET ended = NULL
      WHERE id = (SELECT max(id) FROM sessions WHERE host = ? AND (ended IS NULL OR ?) AND started > ?)
      RETURNING id, requests, waited_ms AS waitedMs`,
    ...[host, Number(sequel), now - SESSION_MS],
  );
  if (resumed !== undefined) return resumed;
  const created = database.get<{ id: number }>(
    "INSERT INTO sessions (host, started, requests, waited_ms) VALUES (?, ?, 0, 0) RETURNING id",
    ...[host, now],
  );
  return { id: created?.id ?? 0, requests: 0, waitedMs: 0 };
}
