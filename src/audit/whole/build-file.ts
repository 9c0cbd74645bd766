/** Compares `build.json` with the site. */
import { z } from "zod";
import { readAs, readJson, type ReportFault } from "../files/file-check.ts";

const claimsSchema = z.object({
  files: z.int(),
  bytes: z.int(),
  pages: z.record(z.string(), z.int()),
});

/** @param truth figures of the site on disk, without `build.json` itself */
export function auditBuildFile(
  content: string,
  truth: z.infer<typeof claimsSchema>,
  reportFault: ReportFault,
): void {
  const value = readJson(content, reportFault);
  const said = value === undefined ? null : readAs(claimsSchema, value, reportFault);
  if (said === null) return;
  const { files, bytes, pages } = said;
  if (files !== truth.files) reportFault(`it says ${files} files, and there are ${truth.files}`);
  if (bytes !== truth.bytes) reportFault(`it says ${bytes} bytes, and there are ${truth.bytes}`);
  for (const kind of new Set([...Object.keys(pages), ...Object.keys(truth.pages)])) {
    const [claimed = 0, is = 0] = [pages[kind], truth.pages[kind]];
    if (claimed !== is)
      reportFault(`it says ${claimed} pages of the kind ${kind}, and there are ${is}`);
  }
}
