/**
 * One build in the history. It holds numbers only, no text that the service sent.
 *
 * A failed build has an entry too, with what is known of it.
 */
import { z } from "zod";
import { parseJson } from "./parse-json.ts";

const count = z.int().min(0);
const changes = z.object({ added: count, changed: count, removed: count });

export const buildEntrySchema = z.object({
  /** When the build ended, ISO 8601 in UTC. */
  at: z.iso.datetime(),
  /** Exit status of the process. */
  status: z.int().min(0).max(255),
  /** Id of the snapshot published then; null for none. */
  snapshot: z.string().max(100).nullable(),
  /** Label of the harvest that made the snapshot. */
  label: z.string().max(40).nullable(),
  quotes: count.nullable(),
  change: changes.nullable(),
  /** Requests of the run, milliseconds waited because the service asked for it, retries, unreadable records. */
  calls: count.nullable(),
  waitedMs: count.nullable(),
  retries: count.nullable(),
  quarantined: count.nullable(),
  /** Pages that differ from the build before. */
  pages: changes.nullable(),
  pictures: z.object({ made: count, reused: count, failed: count }).nullable(),
  files: count.nullable(),
  bytes: count.nullable(),
  /** Null where no audit was made. */
  findings: count.nullable(),
  /** Milliseconds of each stage, by its title. */
  stages: z.record(z.string().max(40), count),
});

export type BuildEntry = z.output<typeof buildEntrySchema>;

/** Milliseconds of all stages. */
export function durationOf({ stages }: BuildEntry): number {
  return Object.values(stages).reduce((sum, ms) => sum + ms, 0);
}

/** @returns null when the line is not an entry */
export function readEntry(line: string): BuildEntry | null {
  return buildEntrySchema.safeParse(parseJson(line)).data ?? null;
}
