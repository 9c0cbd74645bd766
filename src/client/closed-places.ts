/**
 * Addresses that a service refuses with a longer wait than a run has, although it serves others (docs/walk.md, section 8).
 *
 * Such a wait is obeyed once, since it may be for all requests. Where a later run is refused so at the same place, and served at the
 * start of the list, the refusal belongs to places.
 */
import type { ClosedPlace, Ledger } from "../contract/ledger.ts";
import { listOf, offsetOf } from "./addresses.ts";

/** Places that are remembered: requests in flight are refused together. */
const MOST_PLACES = 8;

/** Part of an offset from which on another refusal is the same: the end of a list moves from run to run. */
const NEAR = 0.9;

/** Of a filtered list the bounds differ from run to run. */
const toPlace = (address: string): ClosedPlace => ({
  list: listOf(address).replace(/\d+/g, "#"),
  offset: offsetOf(address),
});

const isIn = (place: ClosedPlace, closed: ClosedPlace, part = 1): boolean =>
  place.list === closed.list && place.offset >= part * closed.offset;

export class ClosedPlaces {
  readonly #ledger: Pick<Ledger, "closed" | "keepClosed">;
  /** Those of earlier runs, which this one was not served. */
  #before: readonly ClosedPlace[];
  #areKnown = false;

  constructor(ledger: Pick<Ledger, "closed" | "keepClosed">) {
    this.#ledger = ledger;
    this.#before = ledger.closed;
  }

  /** Notes that an address was refused with a long wait. @returns whether that says nothing of other addresses */
  refused(address: string): boolean {
    const place = toPlace(address);
    this.#areKnown ||= this.#before.some((closed) => isIn(place, closed, NEAR));
    const { closed } = this.#ledger;
    if (!closed.some((one) => isIn(place, one)))
      this.#ledger.keepClosed([place, ...closed].slice(0, MOST_PLACES));
    return this.#areKnown;
  }

  /** Notes that an address was served. */
  served(address: string): void {
    const { closed } = this.#ledger;
    if (closed.length === 0) return;
    const place = toPlace(address);
    const left = closed.filter((one) => !isIn(place, one));
    if (left.length === closed.length) return;
    this.#ledger.keepClosed(left);
    this.#before = this.#before.filter((one) => !isIn(place, one));
    this.#areKnown = false;
  }
}
