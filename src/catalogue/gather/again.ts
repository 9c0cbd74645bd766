/**
 * Gathers a snapshot of which most stood in the one before: SQLite compares the two, and only quotes that differ are read.
 * What comes out is what reading everything would give, but for the numbers of the names.
 */
import { Columns, type Gathered } from "./columns.ts";
import { entryOf, type GatherOptions, type QuoteRow } from "./gather.ts";
import { readGathered, type Kept } from "./kept.ts";
import { DiskError } from "../../contract/errors.ts";
import { Database } from "../../sqlite/database.ts";

/** What the last catalogue was made of, with the same options. */
export interface Before {
  readonly snapshotPath: string;
  readonly cataloguePath: string;
}

/** Beyond this share of quotes that differ, and of names that nobody carries any more, all is read anew. */
const MOST_CHANGED = 0.25;
const MOST_IDLE = 0.25;

type ChangedRow = readonly [isNew: number, ...QuoteRow];

/** Numbers before texts: a comparison ends with the first that differ. */
const CHANGED = `
  SELECT old.id IS NULL, new.id, new.text, new.author, new.likes, new.tags, new.image, new.language
    FROM main.quotes AS new LEFT JOIN before.quotes AS old ON old.id = new.id
   WHERE new.likes IS NOT old.likes OR new.text IS NOT old.text OR new.author IS NOT old.author
      OR new.tags IS NOT old.tags OR new.image IS NOT old.image OR new.language IS NOT old.language
   ORDER BY new.id`;

const GONE = `
  SELECT id FROM before.quotes AS old
   WHERE NOT EXISTS (SELECT 1 FROM main.quotes WHERE id = old.id) ORDER BY id`;

/**
 * Null where that is not possible, or would not be faster.
 *
 * @param rows quotes of the snapshot
 */
export function gatherAgain(
  snapshot: Database,
  rows: number,
  before: Before,
  options: GatherOptions,
): Gathered | null {
  try {
    const kept = readBefore(before);
    snapshot.attach(before.snapshotPath, "before");
    try {
      return merged(snapshot, rows, kept, options);
    } finally {
      snapshot.exec("DETACH before");
    }
  } catch (error) {
    if (error instanceof DiskError) return null;
    throw error;
  }
}

function merged(
  snapshot: Database,
  rows: number,
  kept: Kept,
  options: GatherOptions,
): Gathered | null {
  const { gathered } = kept;
  const gone = Array.from(snapshot.tuples<readonly [number]>(GONE), ([id]) => id);
  // More than there can be, if both are what they say; what is not filled costs nothing.
  const columns = new Columns(gathered.quotes + rows, gathered.names);
  let next = 0;
  let added = 0;
  let changed = 0;
  let lost = 0;
  /** Takes over what stands before an id, and leaves that quote itself out. */
  const until = (id: number): void => {
    const from = next;
    while (next < gathered.quotes && (gathered.ids[next] ?? 0) < id) next++;
    columns.copy(gathered, from, next);
    if (gathered.ids[next] === id) next++;
  };
  const untilGone = (id: number): void => {
    for (; (gone[lost] ?? Infinity) < id; lost++) until(gone[lost] ?? Infinity);
  };
  for (const [isNew, ...row] of snapshot.tuples<ChangedRow>(CHANGED)) {
    const [id] = row;
    untilGone(id);
    until(id);
    const entry = entryOf(row, options);
    if (entry !== null) columns.push(entry);
    added += isNew;
    if (++changed > rows * MOST_CHANGED) return null;
  }
  untilGone(Infinity);
  until(Infinity);
  if (kept.rows - gone.length + added !== rows) return null;
  const now = columns.done();
  const { author, tag } = now.names;
  return author.idle + tag.idle > (author.size + tag.size) * MOST_IDLE ? null : now;
}

function readBefore({ cataloguePath }: Before): Kept {
  const catalogue = new Database(cataloguePath, { immutable: true });
  try {
    return readGathered(catalogue);
  } finally {
    catalogue.close();
  }
}
