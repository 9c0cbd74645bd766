/** Hosts of a finished site, and their limits. A limit that the host does not publish is null. */
import { z } from "zod";

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

const limit = z.int().min(0).nullable().optional();

/** Limits that a site sets in place of its host's; null for none. */
export const hostLimitsSchema = z.strictObject({
  /** Files of the whole site. */
  files: limit,
  /** Files and folders of the whole site. */
  entries: limit,
  /** Bytes of the whole site. */
  bytes: limit,
  /** Bytes of one file. */
  fileBytes: limit,
  /** Files of one folder, folders in it not counted. */
  folderFiles: limit,
  redirects: limit,
  redirectBytes: limit,
  headerRules: limit,
});

/** Upper limits of a host, null where it gives none. */
export type HostLimits = {
  readonly [Limit in keyof typeof hostLimitsSchema.shape]: number | null;
};

export const NO_LIMITS = Object.fromEntries(
  Object.keys(hostLimitsSchema.shape).map((limit) => [limit, null]),
) as HostLimits;

/** Measures of a site to compare with the limits. */
export interface SiteMeasure {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
  readonly largestFile: number;
  /** In one folder. */
  readonly mostFiles: number;
}
