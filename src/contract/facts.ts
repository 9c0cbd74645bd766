/**
 * The facts that a snapshot stores with its quotes.
 *
 * A state may come from elsewhere, or from a damaged disk, so its facts are decoded as answers of a service are. A field that is
 * absent is no fault, since older programs did not write it.
 */
import { z } from "zod";

const count = z.number().nonnegative();
const date = z.string().refine((text) => !Number.isNaN(Date.parse(text)), "expected a date");

/** How complete a harvest is (docs/walk.md, section 1). Only the first two labels may remove quotes. */
const harvestLabel = z.enum(["complete:proved", "complete:sliced", "best-effort", "partial"]);

export type HarvestLabel = z.output<typeof harvestLabel>;

export function isComplete(label: HarvestLabel): boolean {
  return label === "complete:proved" || label === "complete:sliced";
}

/** How complete a harvest was, and what it took. */
export const harvestFactSchema = z.object({
  label: harvestLabel,
  /** What the label assumes about the service; null in snapshots of older programs. */
  assumption: z.string().nullable(),
  /** ISO 8601, UTC. */
  started: date,
  finished: date,
  /** Requests sent, over all the sessions of the harvest. */
  requests: count,
  /** Waits that the service asked for: number and total. */
  waits: count,
  waitedMs: count,
  retries: count,
  /** Quotes served more than once: windows overlap. */
  duplicates: count,
  /** Repaired links, plus quotes that only a probe found. */
  repaired: count,
  removed: count,
  /** Records that could not be read. */
  quarantined: count,
});

export type HarvestFact = Readonly<z.output<typeof harvestFactSchema>>;

/** A record that could not be read: its offset in the service's list, and the reason. */
const unreadRecord = z.object({ offset: z.number(), reason: z.string() }).readonly();

export type UnreadRecord = z.output<typeof unreadRecord>;

/** How a published collection differs from the previous one. */
const collectionChange = z
  .object({
    added: count,
    changed: count,
    removed: count,
    /** Removed because they no longer pass the selection. */
    deselected: count,
  })
  .readonly();

export type CollectionChange = z.output<typeof collectionChange>;

/** One run of a harvest, which may take several. */
export const runFactSchema = z.object({
  change: collectionChange,
  /** Requests of this run alone. */
  calls: count,
  /** Null when the host's quota is unknown; its fields are those of `LearnedQuota`. */
  quota: z
    .object({
      limit: count.nullable(),
      periodMs: count.nullable(),
      from: z.enum(["headers", "refusals"]),
      at: count,
    })
    .readonly()
    .nullable(),
  /** Why the harvest stopped early; null when it did not. */
  stopped: z.string().nullable(),
  /** The first few. */
  unread: z.array(unreadRecord).readonly(),
  /** One line each: tags that the tag list lacks, a filter that the service ignores. */
  remarks: z.array(z.string()).readonly(),
});

export type RunFact = Readonly<z.output<typeof runFactSchema>>;

/** The host of the embedded service in the state: its port differs in each run. */
export const EMBEDDED = "embedded";

/** The same for a file of the operator's own quotes, which may move or change its format. */
export const OWN = "own-quotes";

const sourceFact = z.object({
  /** The service's host, port and path, or `embedded`, or `own-quotes`. */
  host: z.string(),
  /** Scheme, host and port of the service; absent where there is none, and in snapshots of older versions. */
  origin: z.url({ protocol: /^https?$/ }).exactOptional(),
  /** Records in one page; 0 when unknown. */
  pageSize: count,
});

export type SourceFact = Readonly<z.output<typeof sourceFact>>;

const curatedFact = z.object({
  /** When the curated list was last read to its end, ISO 8601. */
  asOf: date,
  /** Curated quotes of the snapshot. */
  quotes: count,
});

export type CuratedFact = Readonly<z.output<typeof curatedFact>>;

const names = z.array(z.string()).readonly();

/** Each fact by its key in the snapshot. */
export const FACTS = {
  harvest: harvestFactSchema,
  /** The last harvest with a complete label. */
  complete: harvestFactSchema,
  /** When all quotes were last read. */
  asOf: date,
  source: sourceFact,
  selection: z.object({ languages: names, tags: names, curated: z.boolean() }),
  /** Whether the selection was widened since it was last read whole. */
  widened: z.boolean(),
  /** Absent where the service does not name its curated quotes. */
  curated: curatedFact,
  /** The run that published the snapshot. */
  night: runFactSchema,
  /** Names its quotes and its tag list: snapshots with one name have the same. Absent in snapshots of older programs. */
  content: z.string(),
} as const;

export type FactKey = keyof typeof FACTS;

export type Fact<Key extends FactKey> = Readonly<z.output<(typeof FACTS)[Key]>>;
