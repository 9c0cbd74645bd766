/** Where a finished site is put, and what such a place takes. A limit that nobody states is null: no guess stands here. */

export const HOST_NAMES = [
  "none",
  "github-pages",
  "cloudflare",
  "netlify",
  "vercel",
  "gitlab",
  "s3",
] as const;

export type HostName = (typeof HOST_NAMES)[number];

/** Most that a host takes. Sizes are in bytes. */
export interface HostLimits {
  /** Files of a site. */
  readonly files: number | null;
  /** Files and folders of a site together. */
  readonly entries: number | null;
  /** All files together. */
  readonly bytes: number | null;
  readonly fileBytes: number | null;
  /** Files in one folder, folders in it not counted. */
  readonly folderFiles: number | null;
  /** Redirects to be told. */
  readonly redirects: number | null;
  /** Size of the file that tells them. */
  readonly redirectBytes: number | null;
  /** Characters of a line of it. */
  readonly redirectLine: number | null;
  /** Rules of the file that tells headers. */
  readonly headerRules: number | null;
  /** Characters of a line of it. */
  readonly headerLine: number | null;
}

/** What of a site is held against the limits. */
export interface SiteMeasure {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
  readonly largestFile: number;
  /** In one folder. */
  readonly mostFiles: number;
}
