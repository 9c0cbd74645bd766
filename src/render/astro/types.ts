/** What Astro calls the things that pages are rendered with, and names in its bundle. */
import type { createApp } from "astro/app/entrypoint";
import type { chunkToString, renderStreaming } from "astro/runtime/server/index.js";
import { ConfigurationError } from "../../contract/errors.ts";

export type App = ReturnType<typeof createApp>;
export type Loader = NonNullable<ReturnType<NonNullable<App["manifest"]["pageMap"]>["get"]>>;
export type Result = Parameters<typeof renderStreaming>[1];
export type Chunk = Parameters<typeof chunkToString>[1];
export type AstroGlobal = ReturnType<Result["createAstro"]>;
export type Props = Readonly<Record<string, unknown>>;

/** A compiled `.astro` file. */
export type Component = (result: Result, props: object, slots: object) => unknown;

/** A piece of a page: text, or UTF-8. */
export type Piece = string | Uint8Array;

export interface Entry {
  readonly params: Readonly<Record<string, unknown>>;
  readonly props?: Props;
}

/** The module of a page, which Astro made of its source. */
export interface PageModule {
  readonly default?: unknown;
  readonly getStaticPaths?: (options: unknown) => Entry[] | Promise<Entry[]>;
}

/** A page uses something that exists only if Astro renders it from a request. */
export class NeedsRequest extends Error {}

/** Explains why the threads cannot render a page as Astro does. */
export function refusePage(
  { path, route }: { readonly path: string; readonly route: string },
  why: string,
  cause?: unknown,
): ConfigurationError {
  const advice = `take ${JSON.stringify(route)} out of "bulk" in astro.config.mjs`;
  return new ConfigurationError(`Cannot render ${path} in a thread: ${why}; ${advice}`, { cause });
}

/** Module of a bundle without middleware. */
export const NO_MIDDLEWARE = "\0noop-middleware";

/** Module with the address of Astro's font server, whose port differs in every build. */
export const FONT_SERVER = "\0virtual:astro:assets/fonts/runtime/font-file-url-resolver";

/** Reference to an asset in a module of a page: a number that depends on the order in which the bundler read them. */
export const ASSET =
  /(?:__(?:ASTRO_ASSET_IMAGE|VITE_ASSET)__|import\.meta\.ROLLDOWN_FILE_URL_)([\w$]{22})/g;
