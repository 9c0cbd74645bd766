/**
 * `Astro`, as components see it, without a request behind it.
 *
 * Whatever is not the same for every page of a route, and not made here, throws `NotQuick` when touched.
 */
import type { Rendering } from "./rendering.ts";

type AstroGlobal = ReturnType<Rendering["createAstro"]>;
type Params = Rendering["params"];

/** What Astro made for the first page of a route and may be shown on all of them. */
const SHARED = ["generator", "routePattern", "isPrerendered", "site", "logger"];

/** A page asked for something that only Astro's own way has. */
export class NotQuick extends Error {}

interface SlotsOf {
  new (result: Rendering, slots: object | null, logger: unknown): object;
}

/** What is the same for all components of a page. */
interface PageGlobals {
  readonly result: Rendering;
  readonly params: Params;
  readonly url: URL;
}

export class AstroGlobals {
  readonly #Globals: new (page: PageGlobals, props: object, slots: object | null) => object;

  /** @param first what Astro gave a component of the route's first page */
  constructor(first: AstroGlobal) {
    const Slots = (first.slots as object).constructor as SlotsOf;
    const { logger } = first;
    // One class for the route: an object with a prototype of its own, page by page, costs ten times as much to make.
    this.#Globals = class {
      readonly #page: PageGlobals;
      readonly #slotted: object | null;
      #slots: object | undefined;
      readonly props: object;
      self: unknown = null;

      constructor(page: PageGlobals, props: object, slotted: object | null) {
        this.#page = page;
        this.props = props;
        this.#slotted = slotted;
      }

      get params(): Params {
        return this.#page.params;
      }

      get url(): URL {
        return this.#page.url;
      }

      get slots(): object {
        return (this.#slots ??= new Slots(this.#page.result, this.#slotted, logger));
      }
    };
    const made = Object.getPrototypeOf(first) as object;
    for (const name of Object.keys(Object.getOwnPropertyDescriptors(made))) {
      if (name in this.#Globals.prototype) continue;
      Object.defineProperty(this.#Globals.prototype, name, ofAllPages(name, first));
    }
  }

  /** The function components call for their `Astro`. */
  forPage(result: Rendering, params: Params, url: URL): Rendering["createAstro"] {
    const page = { result, params, url };
    const Globals = this.#Globals;
    return (props, slots) => new Globals(page, props, slots) as AstroGlobal;
  }
}

function ofAllPages(name: string, first: AstroGlobal): PropertyDescriptor {
  if (SHARED.includes(name)) return { value: first[name as keyof AstroGlobal] };
  return {
    get: () => {
      throw new NotQuick(`it uses Astro.${name}`);
    },
  };
}
