/** Renders pages of a route as Astro does: from a request. */
import type { RouteData } from "astro";
import {
  NeedsRequest,
  type App,
  type Entry,
  type Loader,
  type PageModule,
  type Props,
} from "./types.ts";

const IMAGE = "it makes an image";

/** Astro writes only the images that pages in its own thread use: in another thread the image would be missing. */
export function refuseImages(): void {
  const addStaticImage = (): never => {
    throw new NeedsRequest(IMAGE);
  };
  Object.assign(globalThis, { astroAsset: { addStaticImage } });
}

/** The last page of a queue: only one page at a time is rendered from a request. */
let lastResponse: Promise<unknown> = Promise.resolve();

export class RequestRenderer {
  readonly #app: App;
  readonly #route: RouteData;
  /** Of the route's parameters, without the dots of a rest parameter. */
  readonly #names: readonly string[];
  /** By the values of the parameters. */
  readonly #propsOf = new Map<string, Props>();

  constructor(app: App, route: RouteData) {
    this.#app = app;
    this.#route = route;
    this.#names = route.params.map((name) => name.replace("...", ""));
  }

  /** Keeps the props that `getStaticPaths()` gives to the pages. */
  keepProps(entries: readonly Entry[]): void {
    for (const { params, props } of entries) {
      if (props !== undefined) this.#propsOf.set(this.#keyOf(params), props);
    }
  }

  propsFor(params: Entry["params"]): Props {
    return (this.#propsOf.size > 0 && this.#propsOf.get(this.#keyOf(params))) || {};
  }

  /** Reads the route's parameters from a path. An empty rest parameter is undefined. */
  paramsOf(path: string): Record<string, string | undefined> {
    const match = this.#route.pattern.exec(path);
    return Object.fromEntries(
      this.#names.map((name, index) => {
        const value = match?.[index + 1];
        return [name, value === "" && name !== this.#route.params[index] ? undefined : value];
      }),
    );
  }

  urlOf(path: string): URL {
    const { site = "http://localhost:4321", base, trailingSlash } = this.#app.manifest;
    const slash = this.#route.type === "page" && trailingSlash !== "never" ? "/" : "";
    const inside = path.replace(/^\/+|\/+$/g, "");
    return new URL(`${base.replace(/\/*$/, "/")}${inside}${inside === "" ? "" : slash}`, site);
  }

  /**
   * Lets Astro render a page. Astro searches the list of the route for it, which is replaced by a list of this page.
   *
   * One page at a time: a thread has two batches in progress, and the list and the logger belong to the app.
   *
   * @param list called when Astro lists the pages
   * @throws with Astro's message when the page fails
   */
  respond(
    path: string,
    module: PageModule,
    list?: (options: unknown) => Promise<void>,
  ): Promise<Response> {
    const getStaticPaths = async (options: unknown): Promise<Entry[]> => {
      await list?.(options);
      const params = this.paramsOf(path);
      return [{ params, props: this.propsFor(params) }];
    };
    const response = lastResponse.then(() => this.#ask(path, { ...module, getStaticPaths }));
    lastResponse = response.catch(() => undefined);
    return response;
  }

  async #ask(path: string, page: PageModule): Promise<Response> {
    const loader = () => Promise.resolve({ page: () => Promise.resolve(page) });
    this.#app.manifest.pageMap?.set(this.#route.component, loader as unknown as Loader);
    // Astro responds to a failing page with status 500, and writes the cause only to its log.
    let failure = "";
    // Astro sets the configured destination when the logger is first used.
    const logger = await this.#app.getLogger();
    logger.setDestination({
      write: ({ level, message }) => {
        if (level === "error") failure = message;
      },
    });
    const request = new Request(this.urlOf(path));
    const answer = await this.#app.render(request, { routeData: this.#route });
    if (answer.status >= 500)
      throw failure.includes(IMAGE) ? new NeedsRequest(IMAGE) : new Error(failure);
    return answer;
  }

  #keyOf(params: Entry["params"]): string {
    return JSON.stringify(
      this.#names.map((name) => String((params[name] as string | number) ?? "")),
    );
  }
}
