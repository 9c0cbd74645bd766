/** Renders pages of a route by calling their component, without a request. */
import { chunkToString, renderStreaming } from "astro/runtime/server/index.js";
import type { RequestRenderer } from "./by-request.ts";
import { globalsOf } from "./page-globals.ts";
import {
  NeedsRequest,
  type AstroGlobal,
  type Chunk,
  type Component,
  type Piece,
  type Result,
} from "./types.ts";

/** Needs the `result` of a page that Astro rendered, which it copies for each page. */
export class ComponentRenderer {
  readonly #component: Component;
  readonly #byRequest: RequestRenderer;
  #blank: Result | undefined;
  #Globals: ReturnType<typeof globalsOf> | undefined;

  constructor(component: Component, byRequest: RequestRenderer) {
    this.#component = component;
    this.#byRequest = byRequest;
  }

  /** The component for the first page, whose `result` is copied. */
  watched(): Component {
    const watch: Component = (result, props, slots) => {
      this.#blank ??= copyOf(result);
      this.#Globals ??= globalsOf(result.createAstro({}, {}));
      return this.#component(result, props, slots);
    };
    return Object.assign(watch, this.#component);
  }

  /** @throws {NeedsRequest} when the page can only be rendered from a request */
  async render(path: string): Promise<readonly Piece[]> {
    const params = this.#byRequest.paramsOf(path);
    const result = this.#resultFor(params, path);
    result.pathname = path;
    const template = await this.#component(result, this.#byRequest.propsFor(params), {});
    if (result._metadata.propagators.size > 0) {
      throw new NeedsRequest("a component adds to the head");
    }
    if (!(Symbol.for("astro.renderTemplateResult") in Object(template))) {
      throw new NeedsRequest("it answers with something else than markup");
    }
    const pieces: Piece[] = [];
    await renderStreaming(template, result, {
      write(chunk) {
        if (pieces.length === 0) pieces.push(doctype(result, chunk));
        pieces.push(
          ArrayBuffer.isView(chunk)
            ? (chunk as Uint8Array)
            : String(chunkToString(result, chunk as Chunk)),
        );
      },
    });
    return pieces;
  }

  /**
   * Renders another component, outside of any page.
   *
   * @returns null if it has more than markup, such as a script, which Astro writes once in each page
   */
  async renderComponent(component: Component, props: object): Promise<string | null> {
    const result = this.#resultFor({}, "/");
    result._metadata.hasRenderedHead = true;
    let text: string | null = "";
    const template = (await component(result, props, {})) as {
      render(destination: { write(chunk: Chunk): void }): Promise<void> | void;
    };
    await template.render({
      write(chunk) {
        if (isInstruction(chunk)) text = null;
        else if (text !== null) text += chunkToString(result, chunk);
      },
    });
    return text;
  }

  #resultFor(params: Result["params"], path: string): Result {
    const [blank, Globals] = [this.#blank, this.#Globals];
    if (blank === undefined || Globals === undefined) {
      throw new NeedsRequest("it is no Astro component");
    }
    const result = copyOf(blank);
    result.params = params;
    const page = { result, params, url: () => this.#byRequest.urlOf(path) };
    result.createAstro = (props, slots) => new Globals(page, props, slots) as AstroGlobal;
    return result;
  }
}

/** Astro adds the document type to a page that does not begin with one. */
function doctype(result: Result, chunk: unknown): string {
  if (result.partial || /<!doctype html/i.test(String(chunk))) return "";
  return result.compressHTML ? "<!DOCTYPE html>" : "<!DOCTYPE html>\n";
}

/** A copy for another page: its containers are new, their items are shared. */
function copyOf(result: Result): Result {
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

const INSTRUCTION = Symbol.for("astro:render");

/** Whether a chunk is an instruction to the page; the mark for the head has no effect after the head. */
function isInstruction(chunk: unknown): boolean {
  return INSTRUCTION in Object(chunk) && (chunk as { type?: string }).type !== "maybe-head";
}
