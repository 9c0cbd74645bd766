/** Reads the quotes of a language in the order of its listing, for a query without words: the index has them by their ids. */
import type { IndexedCard } from "./pagefind.ts";

/** @returns a function for each page of the listing that reads its cards */
export async function listedPages(
  folder: string,
  slug: string,
): Promise<(() => Promise<readonly IndexedCard[]>)[]> {
  const read = async (number: number) => {
    const path = `/language/${slug}/${number === 1 ? "" : `${number}/`}`;
    const answer = await fetch(`${folder}..${path}`);
    if (!answer.ok) throw new Error(`Cannot read ${answer.url}: ${answer.status}`);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return { page, cards: cardsOn(page, path) };
  };
  const { page, cards } = await read(1);
  const links = page.querySelectorAll(".pager a");
  const numbers = Array.from(links, (link) =>
    Number(/\/(\d+)\/$/.exec(link.getAttribute("href") ?? "")?.[1] ?? 1),
  );
  const others = Array.from({ length: Math.max(1, ...numbers) - 1 }, (_, at) => at + 2);
  return [
    () => Promise.resolve(cards),
    ...others.map((number) => async () => (await read(number)).cards),
  ];
}

function cardsOn(page: Document, path: string): IndexedCard[] {
  const textOf = (node: ParentNode, selector: string): string =>
    node.querySelector(selector)?.textContent?.trim() ?? "";
  const articles = page.querySelectorAll("[data-pagefind-body] article.quote");
  return Array.from(articles, (article) => ({
    id: Number(article.id.slice(1)),
    path: `${path}#${article.id}`,
    // The order of the page.
    rank: 0,
    words: [textOf(article, "blockquote")],
    joiner: "",
    author: textOf(article, ".by"),
    tags: Array.from(article.querySelectorAll(".tag"), (tag) => `${tag.textContent.trim()}.`).join(
      " ",
    ),
    found: [],
    foundWords: [],
  }));
}
