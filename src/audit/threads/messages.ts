/** What the audit and its threads send each other. */
import type { Secret } from "../../contract/secrets/finder.ts";
import type { Finding } from "../finding.ts";
import type { ForeignFragment, PageToAudit } from "../page/rules.ts";

/** Handed to a thread when it starts. */
export interface ThreadSetup {
  readonly outDir: string;
  readonly origin: string;
  readonly base: string;
  readonly attribution: string | null;
  readonly mayAsk: readonly string[];
  readonly secrets: readonly Secret[];
  /** Of the site's `FileTable`. */
  readonly files: SharedArrayBuffer;
}

export type Task =
  | { readonly kind: "pages"; readonly pages: readonly PageToAudit[] }
  /** Files of the site that are no planned pages. */
  | { readonly kind: "files"; readonly files: readonly string[] }
  /** Files elsewhere that must hold no secret. */
  | { readonly kind: "others"; readonly folder: string; readonly files: readonly string[] }
  /** Fragments that other pages link to. */
  | { readonly kind: "fragments"; readonly fragments: readonly ForeignFragment[] };

/** What one file was found to be. */
export interface FileRead {
  /** Below the output folder. */
  readonly file: string;
  /** Whether nothing was found, as far as the file alone shows. */
  readonly passed: boolean;
  /** Hashes of the files of the site that it links to, each once. */
  readonly links: Uint32Array;
  readonly fragments: readonly ForeignFragment[];
}

export interface TaskResult {
  readonly findings: readonly Finding[];
  /** Of the site. */
  readonly files: readonly FileRead[];
  /** Of the files read. */
  readonly bytes: number;
}
