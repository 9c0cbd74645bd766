/** Reports the faults of a file, and reads JSON with a schema. */
import type { z } from "zod";
import { parseJson } from "../../contract/decode.ts";

export type ReportFault = (fault: string) => void;

export interface FileCheck {
  readonly reportFault: ReportFault;
  /** Reports an address that is not absolute or leads to no file of this site. `what` names the address. */
  readonly link: (address: string, what: string) => void;
  readonly own: URL;
}

/** @returns the value of a JSON file; undefined where it is not JSON, which is reported */
export function readJson(content: string, reportFault: ReportFault): unknown {
  const value = parseJson(content);
  if (value === undefined) reportFault("it is not JSON");
  return value;
}

/** @returns the value as the schema types it; null where it does not match, with the first faults reported */
export function readAs<T>(
  schema: z.ZodType<T>,
  value: unknown,
  reportFault: ReportFault,
): T | null {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  for (const { path, message } of read.error.issues.slice(0, MOST_FAULTS)) {
    reportFault(`${path.join(".") || "the file"}: ${message}`);
  }
  return null;
}

/** Reported faults of one file: an API file has thousands of fields. */
const MOST_FAULTS = 3;
