/** What the audit's threads say to each other. */
import type { Finding } from "../finding.ts";
import type { ForeignFragment } from "../page/audit-page.ts";

/** Handed to a thread when it starts. */
export interface ThreadSetup {
  readonly outDir: string;
  readonly origin: string;
  readonly base: string;
  readonly attribution: string | null;
  /** Of the site's `FileTable`. */
  readonly files: SharedArrayBuffer;
}

export interface PageToAudit {
  /** The page's address, without the base path. */
  readonly path: string;
  /** Below the output folder. */
  readonly file: string;
  /** Ids of the quotes it should show, in order; null where the plan does not say. */
  readonly quotes: readonly number[] | null;
}

export type Task =
  | { readonly kind: "pages"; readonly pages: readonly PageToAudit[] }
  /** Fragments that other pages link to. */
  | { readonly kind: "fragments"; readonly fragments: readonly ForeignFragment[] };

export interface TaskResult {
  readonly findings: readonly Finding[];
  readonly fragments: readonly ForeignFragment[];
  /** Of HTML read. */
  readonly bytes: number;
}
