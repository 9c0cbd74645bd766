/**
 * What a walk may be called, and what must be true of the service for that (docs/walk.md, section 1).
 */
import type { HarvestLabel } from "../contract/harvest-result.ts";
import type { Sliced } from "./slices/slices.ts";
import type { ChainState } from "./walk/chain.ts";

export interface Verdict {
  readonly label: HarvestLabel;
  readonly assumption: string;
}

/** How one list was read in the end. */
export interface Reading {
  readonly chain: ChainState;
  /** Null where the chain stands, or slices were not to be had. */
  readonly sliced: Sliced | null;
}

/** From the strongest to the weakest: a collection is worth its weakest list. */
const STRENGTH: readonly HarvestLabel[] = ["complete:proved", "complete:sliced", "best-effort"];

export function verdictOn(readings: readonly Reading[]): Verdict {
  const verdicts = readings.map(verdictOnOne);
  return verdicts.reduce(
    (worst, one) => (STRENGTH.indexOf(one.label) > STRENGTH.indexOf(worst.label) ? one : worst),
    verdicts[0] ?? { label: "complete:proved", assumption: "nothing was asked for" },
  );
}

function verdictOnOne({ chain, sliced }: Reading): Verdict {
  if (chain.overcounted && sliced === null) {
    const assumption = `none: the service counts ${chain.count ?? 0} quotes, and shows ${chain.end}`;
    return { label: "best-effort", assumption };
  }
  if (chain.unstable === null) return { label: "complete:proved", assumption: orderOf(chain) };
  if (sliced === null) {
    return { label: "best-effort", assumption: `none: ${chain.unstable}, and there are no slices` };
  }
  if (sliced.flaw !== null) {
    return { label: "best-effort", assumption: `none: ${sliced.flaw}` };
  }
  const languages = sliced.byLanguage ? ", and there are no languages but those seen" : "";
  return {
    label: "complete:sliced",
    assumption: `one request is one moment, and no quote changed its length or language meanwhile${languages} (${chain.unstable})`,
  };
}

function orderOf({ direction, single }: ChainState): string {
  return single
    ? "one request is one moment: the whole list came with it, and a second answer agreed"
    : `the service lists quotes by ${direction === "descending" ? "descending" : "ascending"} key; every window agreed`;
}
