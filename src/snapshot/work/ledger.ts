/**
 * The ledger of requests, and the time before which none may be sent, by host.
 *
 * A session is one evening's budget. A run that was killed in it goes on with what it left; one that ended in good
 * order begins a new one.
 */
import { LONGEST_WAIT_MS, type Ledger, type LearnedQuota } from "../../contract/ledger.ts";
import type { Database } from "../../sqlite/database.ts";
import { QuotaMemory } from "./quota.ts";

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
  const session =
    resumedSession(database, host, now(), sequel) ?? newSession(database, host, now());
  const known = database.get<{ not_before: number; quota: string | null }>(
    "SELECT not_before, quota FROM hosts WHERE host = ?",
    host,
  );
  const quota = new QuotaMemory(known?.quota ?? null);
  let { requests, waitedMs } = session;
  let counted = requests;
  let notBefore = known?.not_before ?? 0;
  // It was written by a clock that was wrong.
  if (notBefore > now() + LONGEST_WAIT_MS) notBefore = 0;
  const write = (ended: number | null): void => {
    database.run(
      "UPDATE sessions SET requests = ?, waited_ms = ?, ended = ? WHERE id = ?",
      counted,
      Math.round(waitedMs),
      ended,
      session.id,
    );
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
    spend() {
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
    waited(ms) {
      waitedMs += ms;
      write(null);
    },
    get quota() {
      return quota.learned;
    },
    learn(lesson) {
      // A refusal is worth writing down at once; what headers say changes with every answer.
      if (quota.learn(lesson, requests)) writeQuota(database, host, quota.learned);
    },
    close() {
      counted = requests;
      writeQuota(database, host, quota.learned);
      write(now());
    },
  };
}

interface Session {
  readonly id: number;
  readonly requests: number;
  readonly waitedMs: number;
}

function resumedSession(
  database: Database,
  host: string,
  now: number,
  sequel: boolean,
): Session | undefined {
  const session = database.get<Session & object>(
    `SELECT id, requests, waited_ms AS waitedMs FROM sessions
      WHERE host = ? AND (ended IS NULL OR ?) AND started > ? ORDER BY id DESC LIMIT 1`,
    host,
    Number(sequel),
    now - SESSION_MS,
  );
  // Killed from here on, it is one to go on with.
  if (session !== undefined) {
    database.run("UPDATE sessions SET ended = NULL WHERE id = ?", session.id);
  }
  return session;
}

function newSession(database: Database, host: string, now: number): Session {
  database.run(
    "INSERT INTO sessions (host, started, requests, waited_ms) VALUES (?, ?, 0, 0)",
    host,
    now,
  );
  const row = database.get<{ id: number }>("SELECT max(id) AS id FROM sessions");
  return { id: row?.id ?? 0, requests: 0, waitedMs: 0 };
}

function writeQuota(database: Database, host: string, quota: LearnedQuota | null): void {
  if (quota === null) return;
  database.run("UPDATE hosts SET quota = ? WHERE host = ?", JSON.stringify(quota), host);
}
