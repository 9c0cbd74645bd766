/** What the checks of files share. */
import type { z } from "zod";
import { parseJson } from "../../contract/decode.ts";

export type ReportFault = (fault: string) => void;

export interface FileCheck {
  readonly reportFault: ReportFault;
  /** Follows an address that must be absolute and of this site. */
  readonly link: (address: string, what: string) => void;
  /** The file's own address. */
  readonly own: URL;
}

/** What a JSON file holds; undefined, and a fault, where it is none. */
export function readJson(content: string, reportFault: ReportFault): unknown {
  const value = parseJson(content);
  if (value === undefined) reportFault("it is no JSON");
  return value;
}

/** The value as a schema has it; null, and some faults, where it differs. */
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

/** Most faults of one file that are reported: an API file has thousands of fields. */
const MOST_FAULTS = 3;
