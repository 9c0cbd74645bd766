/**
 * Makes a state folder with one published snapshot, without a harvest: quotes in, `current` and `snapshots/<id>.sqlite`
 * out. What is missing of a quote is filled in.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HarvestFact } from "../../../src/contract/facts.ts";
import type { Quote, Tag } from "../../../src/contract/quote.ts";
import { upgradeTables } from "../../../src/snapshot/format.ts";
import { writeQuotes } from "../../../src/snapshot/row.ts";
import { Database } from "../../../src/sqlite/database.ts";
import { tempFolder } from "../run/index.ts";

export type QuoteDraft = Pick<Quote, "id"> & Partial<Quote>;

export interface SnapshotDraft {
  readonly quotes: Iterable<QuoteDraft>;
  readonly tagList?: readonly Tag[];
  /** Ids of the quotes that a person chose; by default unknown. */
  readonly curated?: Iterable<number>;
  /** When quotes were first seen, ISO 8601, by id; by default none is new. */
  readonly firstSeen?: Readonly<Record<number, string>>;
  /** Over the facts of a complete harvest, by key. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** First part of the snapshot's name, which sorts; the digest of its bytes follows. */
  readonly stamp?: string;
  /** Where the state folder is made; a new temporary folder by default. */
  readonly stateDir?: string;
}

/** What a build knows of a complete harvest. */
export const HARVEST: HarvestFact = {
  ...{ label: "complete:proved", assumption: "the order of the quotes did not change" },
  ...{ started: "2026-11-20T02:00:00.000Z", finished: "2026-11-20T02:03:00.000Z" },
  ...{ requests: 12, waits: 1, waitedMs: 1_000, retries: 2 },
  ...{ duplicates: 3, repaired: 1, removed: 0, quarantined: 0 },
};

const FACTS = {
  harvest: { ...HARVEST, assumption: null },
  source: { host: "quotes.example" },
};

/** @returns the state folder and the path of the snapshot in it */
export function makeSnapshot(draft: SnapshotDraft): { stateDir: string; path: string; id: string } {
  const stateDir = draft.stateDir ?? tempFolder("state");
  mkdirSync(join(stateDir, "snapshots"), { recursive: true });
  const unnamed = join(stateDir, "snapshots", "draft");
  const db = new Database(unnamed);
  db.exec("PRAGMA journal_mode = DELETE");
  upgradeTables(db);
  const content = createHash("sha256").update(JSON.stringify(draft.tagList ?? []));
  db.transaction(() => {
    for (const quote of draft.quotes) {
      insert(db, quote);
      content.update(JSON.stringify(quote));
    }
    for (const tag of draft.tagList ?? []) {
      db.run("INSERT INTO tags VALUES (?, ?)", tag.name, tag.slug);
    }
    for (const id of draft.curated ?? []) db.run("INSERT INTO curated VALUES (?)", id);
    for (const [id, since] of Object.entries(draft.firstSeen ?? {}))
      db.run("INSERT INTO first_seen VALUES (?, ?)", Number(id), since);
    const known = draft.curated === undefined ? {} : { curated: {} };
    const facts = { ...FACTS, content: content.digest("hex"), ...known, ...draft.facts };
    for (const [key, value] of Object.entries(facts)) {
      db.run("INSERT INTO facts VALUES (?, ?)", key, JSON.stringify(value));
    }
  });
  db.close();
  const digest = createHash("sha256").update(readFileSync(unnamed)).digest("hex");
  const id = `${draft.stamp ?? "20261120T020300000Z"}-${digest.slice(0, 8)}`;
  const path = join(stateDir, "snapshots", `${id}.sqlite`);
  renameSync(unnamed, path);
  writeFileSync(join(stateDir, "current"), `${id}\n`);
  return { stateDir, path, id };
}

/** The fields that a service may leave out, as they are then. */
export const MISSING = {
  author: null,
  likes: 0,
  tags: [],
  image: null,
  language: "en",
  served: null,
  source: null,
};

function insert(db: Database, quote: QuoteDraft): void {
  writeQuotes(db, [{ text: `Words of quote ${quote.id}.`, ...MISSING, ...quote }]);
}
