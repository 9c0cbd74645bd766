/**
 * The shapes of the facts of a snapshot. A state may come from elsewhere, or from a damaged disk, so its facts are decoded as
 * answers of a service are; a field that is absent is no fault, since older programs did not write it.
 */
import { z } from "zod";
import { DiskError } from "../../contract/errors.ts";

const date = z.string().refine((text) => !Number.isNaN(Date.parse(text)), "expected a date");
const count = z.number().nonnegative();
const names = z.array(z.string());

const harvest = z
  .looseObject({
    label: z.enum(["complete:proved", "complete:sliced", "best-effort", "partial"]),
    assumption: z.string().nullable(),
    ...{ started: date, finished: date },
    ...{ requests: count, waits: count, waitedMs: count, retries: count, duplicates: count },
    ...{ repaired: count, removed: count, quarantined: count },
  })
  .partial();

const SHAPES: Readonly<Record<string, z.ZodType>> = {
  harvest,
  complete: harvest,
  asOf: date,
  source: z
    .looseObject({ host: z.string(), origin: z.url({ protocol: /^https?$/ }), pageSize: count })
    .partial(),
  selection: z.looseObject({ languages: names, tags: names, curated: z.boolean() }).partial(),
  widened: z.boolean(),
  curated: z.looseObject({ asOf: date, quotes: count }).partial(),
  night: z
    .looseObject({
      change: z.record(z.string(), count),
      calls: count,
      stopped: z.string().nullable(),
      unread: z.array(z.looseObject({ offset: z.number(), reason: z.string() })),
      remarks: names,
    })
    .partial(),
};

/** @throws {DiskError} when the fact has another shape than a harvest writes */
export function checkFact(path: string, key: string, value: unknown): void {
  const result = SHAPES[key]?.safeParse(value);
  if (result === undefined || result.success) return;
  const [issue] = result.error.issues;
  const where = [key, ...(issue?.path ?? [])].join(".");
  throw damaged(path, `its fact ${where} cannot be read: ${issue?.message ?? "unknown"}`);
}

export const damaged = (path: string, what: string): DiskError =>
  new DiskError(
    `Cannot use ${path}: ${what}; publish another snapshot with "npm run snapshots -- use ID", or harvest into another --state`,
  );
