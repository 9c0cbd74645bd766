/**
 * Renders a component once for each of its keys, on whatever page it stands first, and gives the bytes from then on.
 *
 * A component asks for it with a file beside it: `Card.fragment.ts` by `Card.astro`, exporting `fragmentKey`, and
 * `everyFragment` where all there are can be read faster one after another than page by page. Astro passes what a component
 * returns on to the page's destination as it is, so a kept fragment travels through layouts and slots without becoming a string.
 */
import { chunkToString, markHTMLString } from "astro/runtime/server/index.js";
import { fnv1a } from "../../contract/hash.ts";
import type { Part } from "../../contract/part.ts";
import type { Rendering } from "./rendering.ts";
import type { FragmentPart, FragmentStore, KeptFragment } from "./types.ts";

let store: FragmentStore | null = null;

/** Components that name all their fragments, until these are made. */
const unfilled: { readonly wrapped: Wrapped; readonly every: EveryFragment }[] = [];

/** Null makes every component render anew. */
export function setFragmentStore(next: FragmentStore | null): void {
  store = next;
}

type Chunk = Parameters<typeof chunkToString>[1];

interface Template {
  render(destination: { write(chunk: Chunk): void }): Promise<void> | void;
}

interface Component {
  (result: Rendering, props: object, slots: object): Template | Promise<Template>;
  readonly moduleId?: string;
  readonly propagation?: unknown;
}

type Wrapped = (result: Rendering, props: object, slots: object) => unknown;
type EveryFragment = (part: Part) => Iterable<object>;

/** The file beside a component. */
interface Beside {
  /** Names everything of the props that shows; an empty key is not kept. */
  readonly fragmentKey: (props: object) => string;
  /** The props of all fragments there are, or of a part of them. */
  readonly everyFragment?: EveryFragment;
}

/**
 * Wraps a component; the bundle calls this where a component has such a file beside it.
 *
 * @param name tells the component from others, on every machine alike
 */
export function fragment(component: Component, beside: Beside, name: string): object {
  const { fragmentKey: keyOf, everyFragment } = beside;
  // 32 bits, which differ for the few names of one site.
  const of = fnv1a(name);
  const wrapped: Wrapped = (result, props, slots) => {
    const { headInTree, hasRenderedHead } = result._metadata;
    // Before the head is out, a component may still add to it; what a slot holds belongs to the page.
    if (store === null || !(headInTree || hasRenderedHead) || hasAny(slots)) {
      return component(result, props, slots);
    }
    const key = keyOf(props);
    if (key === "") return component(result, props, slots);
    const found = store.find(of, key);
    if (found !== undefined) return nodes(found);
    const template = component(result, props, slots);
    return template instanceof Promise
      ? template.then((made) => renderAndKeep(result, made, of, key))
      : renderAndKeep(result, template, of, key);
  };
  if (everyFragment !== undefined) unfilled.push({ wrapped, every: everyFragment });
  const { moduleId, propagation } = component;
  Object.defineProperty(wrapped, "name", { value: component.name });
  return Object.assign(wrapped, { isAstroComponentFactory: true, moduleId, propagation });
}

/**
 * Makes a part of the fragments of the components that were imported since the last call and name all of theirs.
 *
 * @param result of no page
 */
export async function fillFragments(result: Rendering, part: Part): Promise<void> {
  for (const { wrapped, every } of unfilled.splice(0)) {
    for (const props of every(part)) {
      const made = wrapped(result, props, {});
      if (made instanceof Promise) await made;
    }
  }
}

function renderAndKeep(result: Rendering, template: Template, of: number, key: string): unknown {
  const parts: FragmentPart<string>[] = [];
  let text = "";
  const rendered = template.render({
    write(chunk) {
      const script = scriptOf(chunk);
      if (script === null) {
        text += chunkToString(result, chunk);
        return;
      }
      if (text !== "") parts.push(text);
      text = "";
      parts.push(script);
    },
  });
  const keep = (): unknown => {
    if (text !== "") parts.push(text);
    return nodes(store?.keep(of, key, parts) ?? parts);
  };
  return rendered === undefined ? keep() : rendered.then(keep);
}

const INSTRUCTION = Symbol.for("astro:render");

function scriptOf(chunk: unknown): FragmentPart<never> | null {
  if (typeof chunk !== "object" || chunk === null || !(INSTRUCTION in chunk)) return null;
  const { type, id, content } = chunk as { type?: string; id?: string; content?: string };
  if (type === "maybe-head") return null;
  if (type === "script" && id !== undefined && content !== undefined) return { id, content };
  throw new Error(
    `Cannot keep a component with a fragmentKey: it holds a ${type ?? "nameless"} instruction, which belongs to the page`,
  );
}

/** What a component may return to Astro: raw markup, scripts, kept bytes. */
function nodes(parts: readonly FragmentPart<string | KeptFragment>[] | KeptFragment): unknown {
  if ("offset" in parts) return parts;
  const out = parts.map((part): unknown => {
    if (typeof part === "string") return markHTMLString(part) as unknown;
    if ("offset" in part) return part;
    return { type: "script", ...part, [INSTRUCTION]: true };
  });
  return out.length === 1 ? out[0] : out;
}

function hasAny(slots: object): boolean {
  for (const _ in slots) return true;
  return false;
}
