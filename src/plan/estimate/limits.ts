/** Which limits of a host a site exceeds. */
import type { HostLimits, SiteMeasure } from "../../contract/host.ts";

type Measured = Pick<HostLimits, "files" | "entries" | "bytes" | "fileBytes" | "folderFiles">;

export interface Excess {
  readonly limit: keyof Measured;
  readonly most: number;
  readonly is: number;
}

const MEASURES: Readonly<Record<keyof Measured, (site: SiteMeasure) => number>> = {
  files: ({ files }) => files,
  entries: ({ files, folders }) => files + folders,
  bytes: ({ bytes }) => bytes,
  fileBytes: ({ largestFile }) => largestFile,
  folderFiles: ({ mostFiles }) => mostFiles,
};

/** How far an estimate may be off, as a share: it is held to this by a test. */
export const ESTIMATE_ERROR: Readonly<Record<keyof Measured, number>> = {
  files: 0.02,
  entries: 0.02,
  bytes: 0.15,
  fileBytes: 0.15,
  folderFiles: 0.02,
};

/**
 * The limits that a site is over, in the order of the table.
 *
 * @param error by how much each figure is made larger first, as a share; below 0 smaller
 */
export function excesses(
  site: SiteMeasure,
  limits: HostLimits,
  error: (limit: keyof Measured) => number = () => 0,
): Excess[] {
  return Object.entries(MEASURES).flatMap(([name, measure]): Excess[] => {
    const limit = name as keyof Measured;
    const most = limits[limit];
    const is = Math.round(measure(site) * (1 + error(limit)));
    return most === null || is <= most ? [] : [{ limit, most, is }];
  });
}

/** Whether a site fits for certain, as far as an estimate shows. */
export function surelyFits(site: SiteMeasure, limits: HostLimits): boolean {
  return excesses(site, limits, (limit) => ESTIMATE_ERROR[limit]).length === 0;
}

/** The limits that a site is over even if the estimate is as much too high as it may be. */
export function sureExcesses(site: SiteMeasure, limits: HostLimits): Excess[] {
  const wrong = (limit: keyof Measured): number => -ESTIMATE_ERROR[limit];
  const over = new Set(excesses(site, limits, wrong).map(({ limit }) => limit));
  return excesses(site, limits).filter(({ limit }) => over.has(limit));
}

const count = (number: number): string => number.toLocaleString("en");
const megabytes = (bytes: number): string => `${count(Math.round(bytes / 1e5) / 10)} MB`;

const SENTENCES: Readonly<Record<keyof Measured, (excess: Excess) => string>> = {
  files: ({ is, most }) => `${count(is)} files, where ${count(most)} are allowed`,
  entries: ({ is, most }) => `${count(is)} files and folders, where ${count(most)} are allowed`,
  bytes: ({ is, most }) => `${megabytes(is)}, where ${megabytes(most)} are allowed`,
  fileBytes: ({ is, most }) => `a file of ${megabytes(is)}, where ${megabytes(most)} are allowed`,
  folderFiles: ({ is, most }) => `a folder of ${count(is)} files, where ${count(most)} are allowed`,
};

export function describeExcess(excess: Excess): string {
  return SENTENCES[excess.limit](excess);
}
