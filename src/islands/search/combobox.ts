/**
 * Suggestions below the field: a list box of a combobox. The focus stays in the field.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
import { make } from "../browser.ts";

export interface Suggestion {
  readonly text: string;
  /** What it is, after its text. */
  readonly note: string;
  readonly href: string;
}

/**
 * @param box an empty element, which the field names in `aria-controls`
 * @param label name of the list
 */
export function makeCombobox(input: HTMLInputElement, box: HTMLElement, label: string) {
  // Static markup has no role for a list that only a script fills.
  box.role = "listbox";
  box.ariaLabel = label;
  let shown: readonly Suggestion[] = [];
  /** Index of the chosen suggestion; -1 for none. */
  let chosen = -1;

  function choose(index: number): void {
    chosen = index;
    for (const [at, option] of [...box.children].entries())
      option.ariaSelected = String(at === index);
    const option = box.children[index];
    if (option === undefined) input.removeAttribute("aria-activedescendant");
    else {
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    }
  }

  function show(suggestions: readonly Suggestion[]): void {
    shown = suggestions;
    const options = suggestions.map(({ text, note, href }, at) => {
      const id = `${box.id}-${at}`;
      const option = make("span", { id, role: "option" }, make("bdi", {}, text), " ");
      option.append(make("small", {}, note));
      option.onclick = () => location.assign(href);
      return option;
    });
    box.replaceChildren(...options);
    box.hidden = options.length === 0;
    input.ariaExpanded = String(!box.hidden);
    choose(-1);
  }

  const close = (): void => show([]);

  /** Whether the key was for the suggestions. The arrow down leaves them after the last, and is for the answers. */
  function take({ key }: KeyboardEvent): boolean {
    if (box.hidden) return false;
    if (key === "Escape") {
      close();
      return true;
    }
    const suggestion = shown[chosen];
    if (key === "Enter" && suggestion !== undefined) {
      location.assign(suggestion.href);
      return true;
    }
    const next = chosen + (key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : NaN);
    if (Number.isNaN(next) || next < -1) return false;
    if (next >= shown.length) {
      close();
      return false;
    }
    choose(next);
    return true;
  }

  // A press on a suggestion must not take the focus from the field, which would close them.
  box.onpointerdown = (event) => event.preventDefault();
  input.addEventListener("blur", close);
  return { show, close, take };
}
