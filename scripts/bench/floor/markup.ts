/** The markup of the bare theme as template strings. */
import { slugOf, type Kind, type Model, type Quote, type Term } from "./model.ts";

const SITE = "https://quotes.example.org";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign) : text;
}

export function cardOf({ pk, quote, author, likes, tags, language }: Quote): string {
  const by =
    author === null
      ? ""
      : `<p class="by">— <a href="/author/${slugOf(author)}/">${escaped(author)}</a></p>`;
  const links = tags
    .map((tag) => `<li><a href="/tag/${slugOf(tag)}/">${escaped(tag)}</a></li>`)
    .join("");
  const list = links === "" ? "" : `<ul class="tags">${links}</ul>`;
  return `<article id="q${pk}" lang="${language}"><blockquote><p>${escaped(quote)}</p></blockquote>${by}${list}<p class="likes">${likes} likes</p></article>`;
}

function page(title: string, description: string, path: string, main: string): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><meta name="description" content="${description}"><link rel="canonical" href="${SITE}${path}"></head><body><header><nav><a href="/">Home</a> <a href="/tags/">Tags</a> <a href="/authors/">Authors</a></nav></header><main>${main}</main><footer><p>Data: <a href="${SITE}/about">Synthetic quote corpus</a>, CC0.</p></footer></body></html>`;
}

const HEADINGS: Readonly<Record<Kind, string>> = {
  tag: "Quotes tagged",
  author: "Quotes by",
  language: "Quotes in",
};

export function addressOf(kind: Kind, slug: string, page: number): string {
  return page === 1 ? `/${kind}/${slug}/` : `/${kind}/${slug}/${page}/`;
}

export function listingPage(
  kind: Kind,
  term: Term,
  number: number,
  pages: number,
  cards: string,
): string {
  const heading = `${HEADINGS[kind]} ${escaped(term.name)}`;
  const at = (to: number): string => addressOf(kind, term.slug, to);
  const previous = number > 1 ? `<a rel="prev" href="${at(number - 1)}">Previous</a> ` : "";
  const next = number < pages ? ` <a rel="next" href="${at(number + 1)}">Next</a>` : "";
  const suffix = number > 1 ? ` – page ${number}` : "";
  return page(
    `${heading}${suffix} | Quotes`,
    `${term.quotes.length} q${heading.slice(1)}, page ${number} of ${pages}.`,
    at(number),
    `<h1>${heading}</h1>${cards}<nav class="pagination">${previous}<span>Page ${number} of ${pages}</span>${next}</nav>`,
  );
}

function links(kind: Kind, terms: readonly Term[]): string {
  const items = terms.map(
    ({ name, slug, quotes }) =>
      `<li><a href="/${kind}/${slug}/">${escaped(name)}</a> (${quotes.length})</li>`,
  );
  return `<ul>${items.join("")}</ul>`;
}

/** Terms of each kind on the home page. */
export const HOME_TERMS = 50;

export function homePage(model: Model, cards: string): string {
  const { quotes, author, tag, language } = model;
  const section = (title: string, body: string): string => `<h2>${title}</h2>${body}`;
  return page(
    "Quotes",
    `${quotes.length} quotes by ${author.length} authors under ${tag.length} tags.`,
    "/",
    `<h1>Quotes</h1>${section("Languages", links("language", language))}${section("Tags", links("tag", tag.slice(0, HOME_TERMS)))}${section("Authors", links("author", author.slice(0, HOME_TERMS)))}${section("Most liked", cards)}`,
  );
}

export function indexPage(kind: "tag" | "author", terms: readonly Term[]): string {
  const title = kind === "tag" ? "Tags" : "Authors";
  const description = `All ${terms.length} ${title.toLowerCase()}.`;
  return page(
    `${title} | Quotes`,
    description,
    `/${title.toLowerCase()}/`,
    `<h1>${title}</h1>${links(kind, terms)}`,
  );
}

export function quotePage(quote: Quote, card: string): string {
  const by = quote.author === null ? "" : ` by ${escaped(quote.author)}`;
  return page(
    `Quote ${quote.pk} | Quotes`,
    `A quote${by}.`,
    `/quote/${quote.pk}/`,
    `<h1>Quote</h1>${card}`,
  );
}
