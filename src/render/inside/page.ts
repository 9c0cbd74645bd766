/**
 * Renders the pages of a bundle the quick way: the page's component straight to pieces, with no Request and no Response.
 *
 * What Astro would hand the component is taken from Astro itself, once for each route, while it renders the first page;
 * that page is then rendered the quick way too, and both must be the same bytes. A route where they are not, or that
 * asks for something only a request has, goes Astro's own way from then on.
 */
import type { AstroWay } from "./astro-way.ts";
import { fillFragments } from "./fragment.ts";
import { NotQuick } from "./globals.ts";
import { QuickRoute } from "./quick-route.ts";
import type { FragmentStore, PageOrder, PageRenderer, Piece, RendererOptions } from "./types.ts";

export function createPageRenderer(
  astro: AstroWay,
  options: RendererOptions,
  setStore: (store: FragmentStore | null) => void,
): PageRenderer {
  const quick = new Map<number, QuickRoute>();
  const slow = new Set<number>();
  setStore(options.store);

  /** Astro's own rendering, with nothing reused. */
  async function plainly<T>(render: () => Promise<T>): Promise<T> {
    setStore(null);
    try {
      return await render();
    } finally {
      setStore(options.store);
    }
  }

  function giveUp(order: PageOrder, reason: string): void {
    slow.add(order.route);
    options.onSlow(astro.route(order.route).component, reason);
  }

  /** The first page of a route: rendered both ways. */
  async function first(order: PageOrder): Promise<readonly Piece[]> {
    const { route, bytes } = await plainly(() => QuickRoute.open(astro, order));
    if (route === null) slow.add(order.route);
    else {
      quick.set(order.route, route);
      if (options.fill !== null) await fillFragments(route.ofNoPage(), options.fill);
      return verified(order, route, bytes);
    }
    return [bytesToText(bytes)];
  }

  async function verified(
    order: PageOrder,
    route: QuickRoute,
    bytes: Uint8Array,
  ): Promise<readonly Piece[]> {
    const expected = bytesToText(bytes);
    try {
      const pieces = await route.render(order);
      if (pieces.join("") === expected) return pieces;
      const anew = await plainly(() => route.render(order));
      if (anew.join("") === expected) {
        throw new Error(
          `Cannot render ${order.path}: a component with a fragmentKey shows something its key does not name`,
        );
      }
      giveUp(order, "the quick way gives other bytes");
    } catch (error) {
      if (!(error instanceof NotQuick)) throw error;
      giveUp(order, error.message);
    }
    return [expected];
  }

  return {
    async render(order) {
      if (slow.has(order.route)) return [bytesToText(await astro.render(order))];
      const route = quick.get(order.route);
      if (route === undefined) return first(order);
      if (options.verifyAll) {
        return verified(order, route, await plainly(() => astro.render(order)));
      }
      try {
        return await route.render(order);
      } catch (error) {
        if (!(error instanceof NotQuick)) throw error;
        giveUp(order, error.message);
        return [bytesToText(await astro.render(order))];
      }
    },
  };
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function bytesToText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
