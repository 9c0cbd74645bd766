/**
 * What the fork's own folder, `site/`, holds, for every module that needs it: read once where a program starts, and handed
 * to the threads that it starts as Node's environment data.
 */
import type { SiteConfigFile } from "./site-config.ts";

export interface SiteData {
  /** The default export of `site/config.ts`, checked. */
  readonly config: SiteConfigFile;
}

const KEY = "commonplace:site";

const EMPTY: SiteData = { config: {} };

/** An edge host has no threads, and may lack the module: there is no folder to read either. */
const threads = () => globalThis.process?.getBuiltinModule?.("node:worker_threads");

/** Empty until `setSiteData` was called in this process. */
export function siteData(): SiteData {
  return (threads()?.getEnvironmentData(KEY) as SiteData | undefined) ?? EMPTY;
}

export function setSiteData(data: SiteData): void {
  threads()?.setEnvironmentData(KEY, data);
}
