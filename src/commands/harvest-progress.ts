/** What a harvest is doing, as one line: quotes, windows, calls, time left, and on a wait until when and why. */
import type { HarvestEvent, HarvestPhase } from "../contract/harvest-result.ts";

const DOING: Readonly<Record<HarvestPhase, string>> = {
  walk: "reading",
  audit: "checking the order",
  slice: "reading in slices",
  freshen: "reading what changes most",
  reconcile: "asking for what is missing",
  tags: "reading the tags",
  curated: "reading which quotes are curated",
  publish: "publishing",
};

/** Makes a function that turns each event into the line to show; null where nothing changed. */
export function harvestProgress(now: () => number): (event: HarvestEvent) => string | null {
  const began = now();
  let doing = DOING.walk;
  let requests = 0;
  let read = "";
  const line = (): string => `${doing}${read}, ${requests} calls`;
  return (event) => {
    switch (event.kind) {
      case "phase":
        doing = DOING[event.phase];
        return line();
      case "window":
        read = `: ${event.quotes} quotes, ${event.windows} windows${timeLeft(event, now() - began)}`;
        return line();
      case "call":
        requests = event.requests;
        return null;
      case "wait":
        return `waiting until ${new Date(event.until).toISOString()}: ${event.why}`;
      case "retry":
        return `once more: ${event.why}`;
      case "remark":
        return event.text;
    }
  };
}

function timeLeft(
  { quotes, expected }: { readonly quotes: number; readonly expected: number | null },
  spentMs: number,
): string {
  if (expected === null || quotes === 0 || expected <= quotes) return "";
  const seconds = Math.ceil((spentMs * (expected - quotes)) / quotes / 1_000);
  return `, about ${seconds} s left`;
}
