/** The global `Astro` of the components of a page. */
import { NeedsRequest, type AstroGlobal, type Result } from "./types.ts";

/** Properties of `Astro` with the same value on all pages of a route. */
const SHARED = ["generator", "routePattern", "isPrerendered", "site", "logger"];

/** Values that all components of a page share. */
export interface PageGlobals {
  readonly result: Result;
  readonly params: Result["params"];
  /** Called only if the page uses it. */
  readonly url: () => URL;
}

/**
 * Makes the class of the global `Astro` in the components of a route. A property that needs a request throws `NeedsRequest`.
 *
 * An object with its own prototype for each page would take ten times as long.
 *
 * @param first `Astro` of the route's first page
 */
export function globalsOf(
  first: AstroGlobal,
): new (page: PageGlobals, props: object, slotted: object | null) => object {
  const Slots = (first.slots as object).constructor as new (
    result: Result,
    slots: object | null,
    logger: unknown,
  ) => object;
  class Globals {
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

    get params(): Result["params"] {
      return this.#page.params;
    }

    get url(): URL {
      return this.#page.url();
    }

    get slots(): object {
      return (this.#slots ??= new Slots(this.#page.result, this.#slotted, first.logger));
    }
  }
  for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(first))) {
    if (name in Globals.prototype) continue;
    const ofAllPages = SHARED.includes(name)
      ? { value: first[name as keyof AstroGlobal] }
      : {
          get: () => {
            throw new NeedsRequest(`it uses Astro.${name}`);
          },
        };
    Object.defineProperty(Globals.prototype, name, ofAllPages);
  }
  return Globals;
}
