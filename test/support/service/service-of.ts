/** A whole service over a collection that a test may change, with a journal and faults at will. */
import { onTestFinished } from "vitest";
import type { WireQuote } from "../../../src/contract/quote.ts";
import { answer } from "./collection.ts";
import { type Call, type FaultServer, json, type Reply, startFaultServer } from "../http/index.ts";

export interface TestService extends FaultServer {
  quotes: WireQuote[];
  /** Given a call, what to answer in place of the truth; null for the truth. */
  fault: (call: Call) => Reply | null;
}

export async function serviceOf(quotes: WireQuote[], cap = 20): Promise<TestService> {
  const state = { quotes, fault: (_call: Call): Reply | null => null };
  const server = await startFaultServer(
    (call) => state.fault(call) ?? json(answer(state.quotes, call.url, { cap })),
  );
  onTestFinished(() => server.close());
  return Object.assign(state, server);
}
