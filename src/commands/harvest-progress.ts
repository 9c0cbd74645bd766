/** The progress of a harvest, in the line of its stage. */
import type { HarvestPhase, ReportHarvest } from "../contract/results.ts";
import { counted } from "../util/text.ts";
import type { Progress, ShowProgress } from "./progress.ts";

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

export function progressTo(showProgress: ShowProgress): ReportHarvest {
  let activity = ACTIVITY.walk;
  let requests = 0;
  let read = "";
  /** Calls that the rest of the list takes; null where its length is not known. */
  let left: number | null = null;
  const progress = (): Progress => ({
    ...{ done: requests, of: left === null ? null : requests + left, what: "calls" },
    activity: activity + read,
  });
  return (event) => {
    switch (event.kind) {
      case "phase":
        activity = ACTIVITY[event.phase];
        left = null;
        return showProgress(progress());
      case "window": {
        const { quotes, windows, expected } = event;
        const missing = (expected ?? 0) - quotes;
        left = quotes === 0 || missing <= 0 ? null : Math.ceil((missing * windows) / quotes);
        read = `, ${counted(quotes, "quote")}`;
        return showProgress(progress());
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
