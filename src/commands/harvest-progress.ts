/** The progress of a harvest, in the line of its stage. */
import type { HarvestPhase, ReportHarvest } from "../contract/results.ts";
import { counted } from "../util/text.ts";

const ACTIVITY: Readonly<Record<HarvestPhase, string>> = {
  walk: "reading",
  audit: "checking the order",
  slice: "reading in slices",
  freshen: "reading the quotes that change most",
  reconcile: "requesting missing quotes",
  tags: "reading the tags",
  curated: "reading which quotes are curated",
  publish: "publishing",
};

export function progressTo(showProgress: (line: string) => void): ReportHarvest {
  const began = Date.now();
  let activity = ACTIVITY.walk;
  let requests = 0;
  let read = "";
  const line = (): string => `${activity}${read}, ${counted(requests, "call")}`;
  return (event) => {
    switch (event.kind) {
      case "phase":
        activity = ACTIVITY[event.phase];
        return showProgress(line());
      case "window": {
        const { quotes, windows, expected } = event;
        const left = (expected ?? 0) - quotes;
        const seconds = Math.ceil(((Date.now() - began) * left) / quotes / 1_000);
        const timeLeft = quotes === 0 || left <= 0 ? "" : `, about ${seconds} s left`;
        read = `: ${counted(quotes, "quote")}, ${counted(windows, "window")}${timeLeft}`;
        return showProgress(line());
      }
      case "call":
        requests = event.requests;
        return;
      case "wait":
        return showProgress(`waiting until ${new Date(event.until).toISOString()}: ${event.why}`);
      case "retry":
        return showProgress(`retrying: ${event.why}`);
      case "remark":
        return showProgress(event.text);
    }
  };
}
