/**
 * What a walk may be called, and what must be true of the service for that (harvest.md §5.8).
 */
import type { HarvestLabel } from "../contract/harvest-result.ts";
import type { ChainState } from "./chain.ts";

export interface Verdict {
  readonly label: HarvestLabel;
  readonly assumption: string;
}

/** The verdict on a walk whose chains have all ended. */
export function verdictOn(chains: readonly ChainState[]): Verdict {
  if (chains.some(({ inversions }) => inversions > 0)) {
    return {
      label: "best-effort",
      assumption: "none: quotes changed places while they were read",
    };
  }
  const directions = new Set(chains.map(({ direction }) => direction));
  if (directions.has("none")) {
    return {
      label: "complete:proved",
      assumption:
        "the service keeps the order of its quotes; it is not the order of their keys, but all that was read twice agreed",
    };
  }
  const which = directions.has("descending") ? "descending" : "ascending";
  return {
    label: "complete:proved",
    assumption: `the service lists quotes by ${which} key; every window agreed`,
  };
}
