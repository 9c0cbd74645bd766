/** Goes through what the catalogue knows of every quote, by id. A row holds many quotes: few are read, none twice. */
import { DIGEST_BYTES } from "../digests.ts";
import { bufferOf, linksOf, numbersOf, type CardsRow } from "./rows.ts";
import { READS } from "../schema.ts";
import type { Part } from "../../contract/part.ts";
import type { Database } from "../../sqlite/database.ts";

/** Quotes that stand one after another, in the order of their ids. */
export interface CardRun {
  readonly ids: Float64Array;
  /** `DIGEST_BYTES` for each. */
  readonly digests: Buffer;
  /** For each, 0 where it has a page of its own, else the page of its author's listing that it stands on. */
  readonly permalinks: Uint32Array;
}

const ALL: Part = { index: 1, count: 1 };

export function* cardRuns(db: Database, { index, count }: Part = ALL): Generator<CardRun> {
  for (let after = 0, run = 0; ; run++) {
    const row = db.tuple<CardsRow>(READS.cards, after);
    if (row === undefined) return;
    const [ids, digests, permalinks] = row;
    const first = numbersOf(ids);
    if (run % count === index - 1) {
      yield { ids: first, digests: bufferOf(digests), permalinks: linksOf(permalinks) };
    }
    after = first[0] ?? 0;
  }
}

/** Quotes with a page of their own, by id, each with the digest of its card. */
export function* cardsWithPage(
  db: Database,
): Generator<{ readonly id: number; readonly digest: string }> {
  for (const { ids, digests, permalinks } of cardRuns(db)) {
    for (const [place, id] of ids.entries()) {
      if (permalinks[place] !== 0) continue;
      const digest = digests.toString("hex", place * DIGEST_BYTES, (place + 1) * DIGEST_BYTES);
      yield { id, digest };
    }
  }
}
