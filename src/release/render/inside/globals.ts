/**
 * `Astro`, as components see it, without a request behind it.
 *
 * Whatever is not the same for every page of a route, and not made here, throws `NotQuick` when touched.
 */
import type { Rendering } from "./quick-route.ts";

type AstroGlobal = ReturnType<Rendering["createAstro"]>;
type Params = Rendering["params"];

/** What Astro made for the first page of a route and may be shown on all of them. */
const SHARED = ["generator", "routePattern", "isPrerendered", "site", "logger"];

/** A page asked for something that only Astro's own way has. */
export class NotQuick extends Error {}

interface SlotsOf {
  new (result: Rendering, slots: object | null, logger: unknown): object;
}

export class AstroGlobals {
  readonly #shared: object;
  readonly #Slots: SlotsOf;
  readonly #logger: unknown;

  /** @param first what Astro gave a component of the route's first page */
  constructor(first: AstroGlobal) {
    this.#Slots = (first.slots as object).constructor as SlotsOf;
    this.#logger = first.logger;
    this.#shared = onlyShared(Object.getPrototypeOf(first) as object, first);
  }

  /** The function components call for their `Astro`. */
  forPage(result: Rendering, params: Params, url: URL): Rendering["createAstro"] {
    const Slots = this.#Slots;
    const logger = this.#logger;
    const page = Object.create(this.#shared, {
      params: { value: params },
      url: { value: url },
      slots: {
        get(this: { [SLOTS]: object | null; [MADE]?: object }) {
          return (this[MADE] ??= new Slots(result, this[SLOTS], logger));
        },
      },
    }) as object;
    return (props, slots) => {
      const Astro = Object.create(page) as Record<PropertyKey, unknown>;
      Astro["props"] = props;
      Astro["self"] = null;
      Astro[SLOTS] = slots;
      return Astro as unknown as AstroGlobal;
    };
  }
}

const SLOTS = Symbol("slots");
const MADE = Symbol("made slots");

function onlyShared(made: object, first: AstroGlobal): object {
  const shared = {};
  for (const name of Object.keys(Object.getOwnPropertyDescriptors(made))) {
    if (name === "params" || name === "url" || name === "slots") continue;
    Object.defineProperty(
      shared,
      name,
      SHARED.includes(name)
        ? { value: first[name as keyof AstroGlobal] }
        : {
            get: () => {
              throw new NotQuick(`it uses Astro.${name}`);
            },
          },
    );
  }
  return shared;
}
