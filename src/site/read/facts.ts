/** What is known of the collection as a whole. */
import type { AboutPage, BuildPage, HarvestFacts, Summary } from "../types.ts";
import { languageCounts, unattributed } from "./indexes.ts";
import { historyUntil } from "../../report/history.ts";
import type { NightFact } from "../../contract/harvest-result.ts";
import type { PictureCounts } from "../../images/lookup.ts";
import type { Catalogue } from "../../catalogue/read/open.ts";
import type { PublishedSnapshot } from "../../contract/snapshot.ts";

export function summaryOf(snapshot: PublishedSnapshot, catalogue: Catalogue): Summary {
  const harvest = harvestOf(snapshot);
  return {
    quotes: catalogue.quotes,
    authors: catalogue.count("author") - (unattributed(catalogue) > 0 ? 1 : 0),
    tags: catalogue.count("tag"),
    languages: catalogue.count("language"),
    label: harvest?.label ?? null,
    dataAsOf: snapshot.fact<string>("asOf") ?? harvest?.finished ?? null,
    source: snapshot.fact<{ readonly host: string }>("source")?.host ?? null,
  };
}

export function aboutOf(snapshot: PublishedSnapshot, catalogue: Catalogue): AboutPage {
  return {
    summary: summaryOf(snapshot, catalogue),
    harvest: harvestOf(snapshot),
    languages: languageCounts(catalogue),
  };
}

/** Builds that the trend shows. */
const TREND = 30;

/** Nothing here is of the clock: made again from the same snapshot and history, the page is the same. */
export function lastBuildOf(
  snapshot: PublishedSnapshot,
  catalogue: Catalogue,
  pictures: PictureCounts,
  stateDir: string,
): BuildPage {
  const harvest = harvestOf(snapshot);
  return {
    summary: summaryOf(snapshot, catalogue),
    harvest,
    night: snapshot.fact<NightFact>("night") ?? null,
    merged: catalogue.merged,
    pictures,
    history: harvest === null ? [] : historyUntil(stateDir, harvest.finished, TREND),
  };
}

function harvestOf(snapshot: PublishedSnapshot): HarvestFacts | null {
  return snapshot.fact<HarvestFacts>("harvest") ?? null;
}
