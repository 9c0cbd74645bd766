/**
 * The content of the fork's own folder, `site/`. A program reads it once at its start; threads receive it as Node's
 * environment data.
 */
import type { AuthorsFile } from "../contract/author-facts.ts";
import { NO_CORRECTIONS, type Corrections } from "../contract/corrections.ts";
import type { SiteConfigFile } from "./site-config.ts";

/** Messages by their keys, as a file of `site/messages` has them. */
export interface MessageTree {
  readonly [key: string]: string | MessageTree;
}

/** A file of `site/pages`. */
export interface SitePage {
  /** From `site/pages`, with slashes. */
  readonly file: string;
  /** The pattern of its route: `/shop/[item]`. */
  readonly pattern: string;
  /** Its address, `/shop/`; null for an endpoint, and for a pattern of several pages. */
  readonly path: string | null;
  /** The file of `src/pages` that it replaces; null for a page of its own. */
  readonly replaces: string | null;
  /** The name of its entry in the menu; null for none. */
  readonly menu: string | null;
}

export interface SiteData {
  /** The default export of `site/config.ts`, checked. */
  readonly config: SiteConfigFile;
  /** Of `site/corrections.yaml`, checked. */
  readonly corrections: Corrections;
  /** Of `site/authors.yaml`, checked. */
  readonly authors: AuthorsFile;
  /** By the code of their language, checked. */
  readonly messages: Readonly<Record<string, MessageTree>>;
  readonly pages: readonly SitePage[];
  /** Addresses of all pages of `site/pages`, once a build knows them. */
  readonly paths?: readonly string[];
}

const KEY = "commonplace:site";

/** The data of a fork without files in `site/`. */
export const NO_SITE: SiteData = {
  config: {},
  corrections: NO_CORRECTIONS,
  authors: new Map(),
  messages: {},
  pages: [],
};

/** Undefined on an edge host, which may lack the module and has no folder to read. */
const threads = () => globalThis.process?.getBuiltinModule?.("node:worker_threads");

/** `NO_SITE` until this process calls `setSiteData()`. */
export function siteData(): SiteData {
  return (threads()?.getEnvironmentData(KEY) as SiteData | undefined) ?? NO_SITE;
}

export function setSiteData(data: SiteData): void {
  threads()?.setEnvironmentData(KEY, data);
}
