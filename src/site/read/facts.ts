/** What is known of the collection as a whole. */
import type { AboutPage, HarvestFacts, Summary } from "../types.ts";
import { languageCounts, unattributed } from "./indexes.ts";
import type { Catalogue } from "../../catalogue/open.ts";
import type { PublishedSnapshot } from "../../contract/snapshot.ts";

export function summaryOf(snapshot: PublishedSnapshot, catalogue: Catalogue): Summary {
  const harvest = harvestOf(snapshot);
  return {
    quotes: catalogue.quotes,
    authors: catalogue.count("author") - (unattributed(catalogue) > 0 ? 1 : 0),
    tags: catalogue.count("tag"),
    languages: catalogue.count("language"),
    label: harvest?.label ?? null,
    dataAsOf: harvest?.finished ?? null,
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

function harvestOf(snapshot: PublishedSnapshot): HarvestFacts | null {
  return snapshot.fact<HarvestFacts>("harvest") ?? null;
}
