/** Shows the authors and tags that a query names: as suggestions while one types, and as links above the quotes. */
import { make } from "../browser.ts";
import {
  authorWord,
  base,
  folder,
  input,
  named,
  pageLanguage,
  readField,
  suggestions,
  tagWord,
  valueOf,
} from "./elements.ts";
import { findNames, type Name } from "./names.ts";
import type { Typed } from "./typed.ts";

/** The names that a text names. Without the list of names there are none: the quotes are searched all the same. */
let lookup: { readonly text: string; readonly names: Promise<readonly Name[]> } | undefined;

export async function lookUpNames({ text, kind }: Typed): Promise<readonly Name[]> {
  if (lookup?.text !== text) {
    const names = text === "" ? Promise.resolve([]) : findNames(text, folder);
    lookup = { text, names: names.catch(() => ((lookup = undefined), [])) };
  }
  return (await lookup.names).filter((name) => kind === undefined || name.kind === kind);
}

/** What a name is, its number of quotes, and what the site says of an author. */
function noteOf({ kind, quotes, about }: Name): string {
  const what = kind === "author" ? authorWord : tagWord;
  const note = `${what} · ${quotes.toLocaleString(pageLanguage())}`;
  return about === "" ? note : `${note} · ${about}`;
}

const addressOf = ({ path }: Name): string => base + path.slice(1);

/** Shows the authors and tags, above the quotes. */
export function showNames(names: readonly Name[]): void {
  const items = names.map((name) => {
    const link = make("a", { href: addressOf(name), dir: "auto" }, name.name);
    return make("li", {}, link, " ", make("span", {}, noteOf(name)));
  });
  named.replaceChildren(...items);
}

/** Suggests the names of what is typed, unless more was typed meanwhile. */
export async function suggestNames(): Promise<void> {
  const text = input.value.trim();
  const names = await lookUpNames(readField());
  if (input.value.trim() !== text || document.activeElement !== input) return;
  suggestions.show(
    names.map((name) => ({ text: name.name, note: noteOf(name), href: addressOf(name) })),
  );
}

/** The address of the author or tag that the fields name exactly; undefined where a filter is chosen. */
export async function addressOfExact(fields: FormData): Promise<string | undefined> {
  const isFiltered = [...fields.keys()].some((key) => key !== "q" && valueOf(fields, key) !== "");
  const typed = readField();
  if (isFiltered || typed.languages.length > 0) return undefined;
  const exact = (await lookUpNames(typed)).find(({ isExact }) => isExact);
  return exact && addressOf(exact);
}
