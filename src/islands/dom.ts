/** Small things every island needs. */

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
