/** Hosts of a finished site, and their limits. A limit that the host does not publish is null. */

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

/** Upper limits of a host. Sizes are in bytes. */
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
  /** Redirects. */
  readonly redirects: number | null;
  /** Size of the file of redirects. */
  readonly redirectBytes: number | null;
  /** Rules of the file of headers. */
  readonly headerRules: number | null;
}

export const NO_LIMITS: HostLimits = {
  files: null,
  entries: null,
  bytes: null,
  fileBytes: null,
  folderFiles: null,
  redirects: null,
  redirectBytes: null,
  headerRules: null,
};

/** Measures of a site to compare with the limits. */
export interface SiteMeasure {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
  readonly largestFile: number;
  /** In one folder. */
  readonly mostFiles: number;
}
