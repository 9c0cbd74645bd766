/**
 * One route the quick way. Holds what Astro made for the route's first page, before anything was rendered into it, and
 * copies it for each further page.
 */
import { chunkToString, renderStreaming } from "astro/runtime/server/index.js";
import { paramsOf, urlOf, type AstroWay, type PageModule, type RouteData } from "./astro-way.ts";
import { AstroGlobals, NotQuick } from "./globals.ts";
import type { Rendering } from "./rendering.ts";
import type { PageOrder, Piece } from "./types.ts";

type Chunk = Parameters<typeof chunkToString>[1];
type Factory = (result: Rendering, props: object, slots: object) => unknown;

interface Opened {
  /** Null for an endpoint, or a page that is no Astro component. */
  readonly route: QuickRoute | null;
  readonly bytes: Uint8Array;
}

export class QuickRoute {
  readonly #astro: AstroWay;
  readonly #data: RouteData;
  readonly #component: Factory;
  readonly #blank: Rendering;
  readonly #globals: AstroGlobals;

  private constructor(astro: AstroWay, data: RouteData, component: Factory, first: Rendering) {
    this.#astro = astro;
    this.#data = data;
    this.#component = component;
    this.#blank = copyOf(first);
    this.#globals = new AstroGlobals(first.createAstro({}, {}));
  }

  /** Renders a route's first page in Astro's way, and keeps what is needed to render the rest. */
  static async open(astro: AstroWay, order: PageOrder): Promise<Opened> {
    const data = astro.route(order.route);
    const module = await astro.load(data);
    const component = module.default;
    if (data.type !== "page" || data.params.length === 0 || !isFactory(component)) {
      return { route: null, bytes: await astro.render(order) };
    }
    let route: QuickRoute | null = null;
    const watched: Factory = (result, props, slots) => {
      route ??= new QuickRoute(astro, data, component, result);
      return component(result, props, slots);
    };
    const stand: PageModule = { ...module, default: Object.assign(watched, marksOf(component)) };
    const bytes = await astro.render(order, stand);
    return { route, bytes };
  }

  /** What a component renders into that stands on no page yet: its address is the site's, and the head is behind it. */
  ofNoPage(): Rendering {
    const result = copyOf(this.#blank);
    result.params = {};
    const url = urlOf(this.#astro.app, this.#data, "/");
    result.createAstro = this.#globals.forPage(result, {}, url);
    result._metadata.hasRenderedHead = true;
    return result;
  }

  /** @throws {NotQuick} when the page has to go Astro's own way */
  async render(order: PageOrder): Promise<readonly Piece[]> {
    const result = copyOf(this.#blank);
    const { path } = order;
    const params = paramsOf(this.#data, path);
    const url = urlOf(this.#astro.app, this.#data, path);
    result.params = params;
    result.pathname = path;
    result.createAstro = this.#globals.forPage(result, params, url);
    const template = await this.#component(result, order.props ?? {}, {});
    if (result._metadata.propagators.size > 0) throw new NotQuick("a component adds to the head");
    if (!isTemplate(template))
      throw new NotQuick("the page answers with something else than markup");
    const pieces: Piece[] = [];
    await renderStreaming(template, result, {
      write(chunk) {
        if (pieces.length === 0) pieces.push(doctype(result, chunk));
        // Astro hands some markup on as an object; the writer takes a string or a kept fragment.
        pieces.push(isKept(chunk) ? chunk : String(chunkToString(result, chunk as Chunk)));
      },
    });
    return pieces;
  }
}

/** Astro puts the document type before a page that does not begin with one. */
function doctype(result: Rendering, chunk: unknown): string {
  if (result.partial || /<!doctype html/i.test(String(chunk))) return "";
  return result.compressHTML ? "<!DOCTYPE html>" : "<!DOCTYPE html>\n";
}

/** A copy that a page may render into: containers are new, what they hold is shared. */
function copyOf(result: Rendering): Rendering {
  return {
    ...result,
    styles: new Set(result.styles),
    scripts: new Set(result.scripts),
    links: new Set(result.links),
    _metadata: copyContainers(result._metadata),
  };
}

function copyContainers<T extends object>(record: T): T {
  const copy = { ...record } as Record<string, unknown>;
  for (const key in copy) {
    const value = copy[key];
    if (value instanceof Set) copy[key] = new Set(value);
    else if (Array.isArray(value)) copy[key] = [...(value as unknown[])];
  }
  return copy as T;
}

function isKept(chunk: unknown): chunk is Exclude<Piece, string> {
  return (
    typeof chunk === "object" &&
    chunk !== null &&
    "offset" in chunk &&
    "length" in chunk &&
    !ArrayBuffer.isView(chunk)
  );
}

function isFactory(component: unknown): component is Factory {
  return typeof component === "function" && "isAstroComponentFactory" in component;
}

function marksOf(component: Factory): object {
  const { moduleId, propagation } = component as { moduleId?: string; propagation?: unknown };
  return { isAstroComponentFactory: true, moduleId, propagation };
}

const TEMPLATE = Symbol.for("astro.renderTemplateResult");

function isTemplate(value: unknown): boolean {
  return typeof value === "object" && value !== null && TEMPLATE in value;
}
