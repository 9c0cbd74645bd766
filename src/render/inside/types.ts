/**
 * What passes between the part of a thread that knows Astro and the part that knows files.
 */
import type { Part } from "../../contract/part.ts";

/** Bytes kept in the fragment file: a piece of a page that was rendered before. */
export interface KeptFragment {
  readonly offset: number;
  readonly length: number;
  /** The same as text, for a place that needs a string (Astro's `slots.render`). */
  toString(): string;
}

/** A piece of a page in the order of the page: text still to be encoded, or bytes known already. */
export type Piece = string | KeptFragment;

/** A script that Astro puts where a component first stands on a page, and nowhere else on it. */
export interface FragmentScript {
  readonly id: string;
  readonly content: string;
}

/** What a component came to: markup, with the scripts between. */
export type FragmentPart<Markup> = Markup | FragmentScript;

/** Where the markup of components that say the same on every page is kept. */
export interface FragmentStore {
  /** @param of a number for the component, since two may have keys that are alike */
  find(of: number, key: string): readonly FragmentPart<KeptFragment>[] | KeptFragment | undefined;
  /** Undefined when the store is full: the markup is then used once and forgotten. */
  keep(
    of: number,
    key: string,
    parts: readonly FragmentPart<string>[],
  ): readonly FragmentPart<KeptFragment>[] | KeptFragment | undefined;
}

/** The pages of one route. */
export interface RoutePages {
  /** Place of the route in the bundle's manifest. */
  readonly route: number;
  /** The page's source file, for messages. */
  readonly component: string;
  /** Endpoints name their own file; pages are folders with an `index.html`. */
  readonly endpoint: boolean;
  readonly paths: readonly string[];
  /** `cacheKey` of each path, as `getStaticPaths` gave it; null where it gave none. */
  readonly keys: readonly (string | null)[];
  /** `near` of each path, from 0 up to 1: pages with like numbers have much in common. Null where no path has one. */
  readonly nears: readonly (number | null)[] | null;
  /** `props` of each path; null where no path of the route has any. */
  readonly props: readonly Props[] | null;
}

export type Props = Readonly<Record<string, unknown>>;

/** One page to render. */
export interface PageOrder {
  readonly route: number;
  readonly path: string;
  readonly props: Props | null;
}

export interface RendererOptions {
  readonly store: FragmentStore | null;
  /** The part of all fragments that is made before the first page; null where few of them will be wanted. */
  readonly fill: Part | null;
  /** Compare every page with Astro's own rendering, not the first of each route alone. */
  readonly verifyAll: boolean;
  /** Told once for each route that has to go Astro's own, slower way. */
  readonly onSlow: (component: string, reason: string) => void;
}

export interface PageRenderer {
  /** @throws when the page's own code throws, or a kept fragment is not what its component renders now */
  render(order: PageOrder): Promise<readonly Piece[]>;
}
