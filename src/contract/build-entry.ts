/**
 * One build in the history: plain numbers, so that nothing the service sent lives in it.
 *
 * A night that failed has an entry too, with what is known of it.
 */
import { z } from "zod";

const count = z.int().min(0);
const changes = z.object({ added: count, changed: count, removed: count });

const buildEntrySchema = z.object({
  /** When the build ended, ISO 8601 in UTC. */
  at: z.iso.datetime(),
  /** What the process exited with. */
  status: z.int().min(0).max(255),
  /** The snapshot that stood then; null where none did. */
  snapshot: z.string().max(100).nullable(),
  /** Of the harvest that made it. */
  label: z.string().max(40).nullable(),
  quotes: count.nullable(),
  change: changes.nullable(),
  /** Requests of the night, waits for permission in milliseconds, requests repeated, records that could not be read. */
  calls: count.nullable(),
  waitedMs: count.nullable(),
  retries: count.nullable(),
  quarantined: count.nullable(),
  /** Addresses of the site that differ from the build before. */
  pages: changes.nullable(),
  pictures: z.object({ made: count, reused: count, failed: count }).nullable(),
  files: count.nullable(),
  bytes: count.nullable(),
  /** Null where no audit was made. */
  findings: count.nullable(),
  /** Milliseconds that each stage took, by its title. */
  stages: z.record(z.string().max(40), count),
});

export type BuildEntry = z.output<typeof buildEntrySchema>;

/** Milliseconds that a build took in all. */
export function durationOf({ stages }: BuildEntry): number {
  return Object.values(stages).reduce((sum, ms) => sum + ms, 0);
}

/** @returns null when the line is no entry */
export function readEntry(line: string): BuildEntry | null {
  let raw: unknown;
  try {
    raw = JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const read = buildEntrySchema.safeParse(raw);
  return read.success ? read.data : null;
}
