/** A client for tests, and a server with a script for it: real sockets, a ledger in memory, and a clock that moves only when someone sleeps. */
import { onTestFinished } from "vitest";
import { Client } from "../../../src/client/client.ts";
import type { Proxies } from "../../../src/http/proxy.ts";
import { LIMITS, type Limits, type Runtime } from "../../../src/client/connection.ts";
import type { HarvestEvent } from "../../../src/contract/results.ts";
import type { ClosedPlace, KnownPace, Ledger } from "../../../src/contract/ledger.ts";
import { type FaultServer, type Reply, startFaultServer } from "./fault-server.ts";

class MemoryLedger implements Ledger {
  notBefore = 0;
  requests = 0;
  waitedMs = 0;
  readonly answers: { limit: number | null; resetMs: number | null }[] = [];
  countRequest(): void {
    this.requests++;
  }
  postpone(until: number): void {
    this.notBefore = Math.max(this.notBefore, until);
  }
  addWait(ms: number): void {
    this.waitedMs += ms;
  }
  pace: KnownPace | null = null;
  keepPace(pace: KnownPace): void {
    this.pace = pace;
  }
  closed: readonly ClosedPlace[] = [];
  keepClosed(places: readonly ClosedPlace[]): void {
    this.closed = places;
  }
  learnQuota(limit: number | null, resetMs: number | null): void {
    this.answers.push({ limit, resetMs });
  }
}

/** Sleeping takes no time but moves the clock on. */
class TestRuntime implements Runtime {
  time = Date.UTC(2026, 10, 21, 12);
  readonly slept: number[] = [];
  readonly now = (): number => this.time;
  readonly random = (): number => 0.5;
  readonly sleep = (ms: number): Promise<void> => {
    this.slept.push(ms);
    this.time += ms;
    return Promise.resolve();
  };
}

export function testClient(
  baseUrl: string,
  more: {
    limits?: Partial<Limits>;
    token?: string;
    maxRequests?: number;
    maxWaitMs?: number;
    concurrency?: number;
    proxies?: Proxies;
    pace?: KnownPace;
    hasServed?: boolean;
    /** Whether an earlier run was asked to wait, which is over. */
    wasPostponed?: boolean;
    /** Places at which an earlier run was asked for a long wait. */
    closed?: readonly ClosedPlace[];
  } = {},
) {
  const ledger = new MemoryLedger();
  ledger.pace = more.pace ?? null;
  ledger.closed = more.closed ?? [];
  const runtime = new TestRuntime();
  if (more.wasPostponed === true) ledger.notBefore = runtime.time - 1;
  const events: HarvestEvent[] = [];
  const stop = new AbortController();
  const client = new Client({
    baseUrl,
    token: more.token ?? null,
    tokenScheme: "Token",
    concurrency: more.concurrency ?? 2,
    maxRequests: more.maxRequests ?? null,
    maxWaitMs: more.maxWaitMs ?? 3_600_000,
    ledger,
    signal: stop.signal,
    report: (event) => events.push(event),
    runtime,
    limits: { ...LIMITS, ...more.limits },
    hasServed: more.hasServed ?? false,
    ...(more.proxies === undefined ? {} : { proxies: more.proxies }),
  });
  onTestFinished(() => client.close());
  return { client, ledger, runtime, events, stop };
}

/** Answers with the replies in turn, and with the last for ever; ends with the test. */
export async function serve(...script: readonly [Reply, ...Reply[]]): Promise<FaultServer> {
  const [first] = script;
  const server = await startFaultServer(({ number }) => script[number] ?? script.at(-1) ?? first);
  onTestFinished(() => server.close());
  return server;
}
