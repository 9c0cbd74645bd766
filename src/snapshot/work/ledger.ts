/**
 * The ledger of requests, the time before which none may be sent, and what was learned of the quota, by host.
 *
 * A session is one evening's budget. A run that was killed in it goes on with what it left; one that ended in good
 * order begins a new one.
 */
import {
  LONGEST_WAIT_MS,
  type LearnedQuota,
  type Ledger,
  type QuotaAnswer,
} from "../../contract/ledger.ts";
import type { Database } from "../../sqlite/database.ts";

/** A session that was killed longer ago than this is over: the next night has its own budget. */
const SESSION_MS = 12 * 3_600_000;

export interface OpenLedger extends Ledger {
  /** What is known of the host's quota; null when nothing is. */
  readonly quota: LearnedQuota | null;
  /** Writes the exact counts and ends the session in good order. */
  close(): void;
}

/**
 * @param block requests counted ahead in one write; a killed run loses what it had not used of them
 * @param sequel whether this belongs to the run whose session came last, though that ended in good order
 */
export function openLedger(
  database: Database,
  host: string,
  now: () => number,
  block: number,
  sequel = false,
): OpenLedger {
  database.run("INSERT INTO hosts (host) VALUES (?) ON CONFLICT DO NOTHING", host);
  const session = openSession(database, host, now(), sequel);
  const known = database.get<{ not_before: number; quota: string | null }>(
    "SELECT not_before, quota FROM hosts WHERE host = ?",
    host,
  );
  let quota = JSON.parse(known?.quota ?? "null") as LearnedQuota | null;
  let { requests, waitedMs } = session;
  let counted = requests;
  /** Requests of the session when the service last refused one. */
  let refusedAfter = 0;
  let notBefore = known?.not_before ?? 0;
  // It was written by a clock that was wrong.
  if (notBefore > now() + LONGEST_WAIT_MS) notBefore = 0;
  const write = (ended: number | null): void => {
    const sql = "UPDATE sessions SET requests = ?, waited_ms = ?, ended = ? WHERE id = ?";
    database.run(sql, counted, Math.round(waitedMs), ended, session.id);
  };
  const writeQuota = (): void => {
    if (quota === null) return;
    database.run("UPDATE hosts SET quota = ? WHERE host = ?", JSON.stringify(quota), host);
  };
  return {
    get notBefore() {
      return notBefore;
    },
    get requests() {
      return requests;
    },
    get waitedMs() {
      return waitedMs;
    },
    get quota() {
      return quota;
    },
    countRequest() {
      requests++;
      if (requests <= counted) return;
      counted += block;
      write(null);
    },
    postpone(until) {
      if (until <= notBefore) return;
      notBefore = Math.ceil(Math.min(until, now() + LONGEST_WAIT_MS));
      database.run("UPDATE hosts SET not_before = ? WHERE host = ?", notBefore, host);
    },
    addWait(ms) {
      waitedMs += ms;
      write(null);
    },
    learnQuota(answer) {
      quota = learned(quota, answer, requests - 1 - refusedAfter);
      if (!answer.refused) return;
      refusedAfter = requests;
      // A refusal is worth writing down at once; what headers say changes with every answer.
      writeQuota();
    },
    close() {
      counted = requests;
      writeQuota();
      write(now());
    },
  };
}

/**
 * What is known of a quota after one more answer. Headers say it outright. Without them a refusal does: so many requests
 * went through since the last one, and the wait that was asked for is at least a part of the period.
 *
 * @param passed requests since the last refusal; where none passed, that was the same period, and teaches nothing
 */
function learned(
  before: LearnedQuota | null,
  { at, limit, resetMs, refused }: QuotaAnswer,
  passed: number,
): LearnedQuota | null {
  const periodMs = Math.max(resetMs ?? 0, before?.periodMs ?? 0) || null;
  if (limit !== null) return { limit, periodMs, from: "headers", at };
  if (!refused || passed <= 0 || before?.from === "headers") return before;
  return { limit: passed, periodMs, from: "refusals", at };
}

interface Session {
  readonly id: number;
  readonly requests: number;
  readonly waitedMs: number;
}

/** The session that was killed, or that this is the sequel of; else a new one. */
function openSession(database: Database, host: string, now: number, sequel: boolean): Session {
  const resumed = database.get<Session>(
    `UPDATE sessions SET ended = NULL
      WHERE id = (SELECT max(id) FROM sessions WHERE host = ? AND (ended IS NULL OR ?) AND started > ?)
      RETURNING id, requests, waited_ms AS waitedMs`,
    ...[host, Number(sequel), now - SESSION_MS],
  );
  if (resumed !== undefined) return resumed;
  const begun = database.get<{ id: number }>(
    "INSERT INTO sessions (host, started, requests, waited_ms) VALUES (?, ?, 0, 0) RETURNING id",
    ...[host, now],
  );
  return { id: begun?.id ?? 0, requests: 0, waitedMs: 0 };
}
