/** Reads the facts of a snapshot (contract/facts.ts). */
import { z } from "zod";
import { DiskError } from "../../contract/errors.ts";
import { FACTS, type Fact, type FactKey } from "../../contract/facts.ts";

/**
 * @param value a JSON value, in which fields may be absent
 * @throws {DiskError} when the fact has another shape than a harvest writes
 */
export function readFact<Key extends FactKey>(path: string, key: Key, value: unknown): Fact<Key> {
  const schema: z.ZodType = FACTS[key];
  const shape = schema instanceof z.ZodObject ? schema.partial().loose() : schema;
  const result = shape.safeParse(value);
  if (result.success) return value as Fact<Key>;
  const [issue] = result.error.issues;
  const where = [key, ...(issue?.path ?? [])].join(".");
  throw damaged(path, `its fact ${where} cannot be read: ${issue?.message ?? "unknown"}`);
}

export const damaged = (path: string, what: string): DiskError =>
  new DiskError(
    `Cannot use ${path}: ${what}; publish another snapshot with "npm run snapshots -- use ID", or harvest into another --state`,
  );
