/** What is done with a quote, loaded when somebody first does something. */
import { readFavourites, writeFavourites, type Kept } from "../keep/store.ts";
import { readCard } from "../share/card.ts";
import { copyCode, copyQuote, FORMATS } from "../share/clipboard.ts";
import { embedCode } from "../share/embed.ts";
import { asText } from "../share/formats.ts";
import { announce, deskWords } from "./words.ts";

/** Names the buttons that keep a quote, or let go of it. */
export function nameKeep(card: HTMLElement): void {
  const { base, acts, unkeep } = deskWords();
  const id = Number(card.dataset["pk"]);
  const isKept = readFavourites(base).list.some(({ pk }) => pk === id);
  for (const button of document.querySelectorAll('[data-act="keep"]')) {
    button.textContent = isKept ? unkeep : (acts["keep"] ?? "");
  }
}

/** @param act `keep`, `share`, `embed`, or a format to copy */
export async function doWith(card: HTMLElement, act: string): Promise<void> {
  if (act === "keep") {
    toggleKept(card);
    return nameKeep(card);
  }
  const { copied, copyFailed } = deskWords();
  const quote = readCard(card);
  if (act === "share") {
    try {
      await navigator.share({ text: asText(quote), url: quote.link });
    } catch (error) {
      // The reader changed their mind.
      if (!(error instanceof DOMException)) throw error;
    }
    return;
  }
  if (act === "embed") {
    const code = await embedCode(quote, deskWords().base);
    return announce((await copyCode(code)) ? copied : copyFailed);
  }
  const format = FORMATS.find((known) => known === act) ?? "text";
  announce((await copyQuote(quote, format)) ? copied : copyFailed);
}

function toggleKept(card: HTMLElement): void {
  const { base, acts, full, blocked, damaged } = deskWords();
  const { id, text, author, by, tags, lang, dir, link } = readCard(card);
  const { list, trouble } = readFavourites(base);
  const without = list.filter(({ pk }) => pk !== id);
  const isKept = without.length < list.length;
  const pathOf = (address: string): string => {
    if (address === "") return "";
    const { pathname, hash } = new URL(address);
    return `/${pathname.slice(base.length)}${hash}`;
  };
  const kept: Kept = {
    ...{ pk: id, quote: text, author, lang, dir },
    path: pathOf(link),
    by: pathOf(by),
    tags: tags.map(([name, address]) => [name, pathOf(address)]),
  };
  const next = isKept ? without : [...list, kept];
  const outcome = trouble === "blocked" ? "blocked" : writeFavourites(base, next);
  if (outcome !== "done") announce({ full, blocked }[outcome]);
  else announce(trouble === "damaged" ? damaged : `${isKept ? "−" : "✓"} ${acts["keep"] ?? ""}`);
}
