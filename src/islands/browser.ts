/** What the islands need of a browser: elements, and `localStorage`, which it may refuse. */

/** @throws {TypeError} when the page does not have what the island was written for */
export function element<E extends Element>(
  root: ParentNode,
  selector: string,
  type: abstract new () => E,
): E {
  const found = root.querySelector(selector);
  if (found instanceof type) return found;
  throw new TypeError(`Cannot find ${selector}: the page has none`);
}

/** Fills the one blank of a message. */
export function fillIn(message: string, value: string): string {
  return message.replace(/\{\w+\}/, () => value);
}

/** The tags of a quote as its card shows them; a link for each that has an address below the root of the site. */
export function tagItems(
  tags: readonly (readonly [name: string, path: string])[],
  base: string,
): HTMLLIElement[] {
  return tags.map(([name, path]) => {
    const link = path !== "" && make("a", { href: base + path.slice(1), dir: "auto" }, name);
    return make("li", { className: "tag" }, link || make("bdi", {}, name));
  });
}

/** A new element with properties of its own and what it holds. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** `full`: there is no room; `blocked`: the browser gives no storage. */
export type Outcome = "done" | "full" | "blocked";

/** Null where there is nothing; undefined where the browser gives no storage. */
export function stored(key: string): string | null | undefined {
  try {
    return localStorage.getItem(key);
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** @param value null removes it */
export function store(key: string, value: string | null): Outcome {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    return "done";
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return error.name === "QuotaExceededError" ? "full" : "blocked";
  }
}
