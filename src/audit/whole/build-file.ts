/** Compares `build.json` with the site. */
import { z } from "zod";
import type { Report } from "../finding.ts";

/** What is on the disk. */
export interface Truth {
  /** `build.json` not counted. */
  readonly files: number;
  readonly bytes: number;
  readonly pages: Readonly<Record<string, number>>;
}

const claims = z.object({
  files: z.int(),
  bytes: z.int(),
  pages: z.record(z.string(), z.int()),
});

/** @param content of the file */
export function auditBuildFile(content: string, truth: Truth, report: Report): void {
  const reportFault = (detail: string): void => report("build report", detail);
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return reportFault("it is no JSON");
  }
  const read = claims.safeParse(value);
  if (!read.success) return reportFault(read.error.issues[0]?.path.join(".") ?? "it says nothing");
  const { files, bytes, pages } = read.data;
  if (files !== truth.files) reportFault(`it says ${files} files, and there are ${truth.files}`);
  if (bytes !== truth.bytes) reportFault(`it says ${bytes} bytes, and there are ${truth.bytes}`);
  for (const kind of new Set([...Object.keys(pages), ...Object.keys(truth.pages)])) {
    const [said = 0, is = 0] = [pages[kind], truth.pages[kind]];
    if (said !== is) reportFault(`it says ${said} pages of the kind ${kind}, and there are ${is}`);
  }
}
