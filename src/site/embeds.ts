/** Pages to embed in other sites, and their oEmbed descriptions. */
import { moreLeading, scriptSetting } from "../contract/scripts.ts";
import { embedPath, quotePath, type PlannedPage } from "../plan/index.ts";
import type { CardData, CardReads } from "./cards.ts";
import type { DayReads } from "./days.ts";
import { escapeHtml } from "../util/text.ts";
import { authorOf, titleOf } from "./feed-formats.ts";
import { attribution } from "./attribution.ts";
import { absolute, siteSettings } from "./settings.ts";
import type { Sources } from "./sources.ts";

/** In place of a quote's id: the page of today's quote. */
export const TODAY = "today";

/** In CSS pixels: the frame around the text, and the most of both. */
const WIDTH = 600;
const HEIGHT = { frame: 122, most: 640 };
/** Height of a line, in CSS pixels, and the letters that fit in it in a wide typeface. Longer quotes are set smaller (embed.css). */
const LINES = { large: { height: 30, letters: 44 }, small: { height: 25.2, letters: 53 } };

/** How long other sites may cache a description, in seconds. */
const CACHE_AGE = 86_400;
/** Line height of Latin (embed.css). */
const LEADING = 1.5;

type Reads = CardReads & Pick<DayReads, "today">;

export function embedReads({ plan, embeds = 0 }: Sources, { card, today }: Reads) {
  let known: ReadonlySet<number> | undefined;
  /** The most liked quotes that have a page of their own, also copies: other sites show them. */
  const ids = (): ReadonlySet<number> => {
    if (known !== undefined) return known;
    const withPage = plan
      .top(embeds, { withCopies: true })
      .filter(({ authorPage }) => authorPage === null);
    return (known = new Set(withPage.map(({ id }) => id).sort((a, b) => a - b)));
  };
  /** @param id of the quote in digits, or `today` */
  const embedded = (id: string): CardData | undefined =>
    id === TODAY ? today().cards[0] : card(Number(id));
  return {
    embedded,

    /** Whether a quote has a page to embed. */
    hasEmbed: (id: number): boolean => ids().has(id),

    /** Today's first, then those of the quotes. */
    *embedPages(): Generator<PlannedPage, void, undefined> {
      if (embeds === 0) return;
      for (const term of [TODAY, ...Array.from(ids(), String)]) {
        const shown = embedded(term);
        if (shown === undefined) continue;
        const cacheKey = `${shown.quote.id} ${shown.cacheKey}`;
        yield { kind: "embed", path: embedPath(term), term, number: 1, cacheKey };
      }
    },
  };
}

/**
 * The oEmbed description of a page to embed.
 *
 * @param id of the quote in digits, or `today`
 * @param size of the text
 * @see https://oembed.com/ (2.3.4.4, the rich type)
 */
export function oEmbedOf(id: string, card: CardData, size: keyof typeof LINES): Response {
  const name = titleOf(card);
  const thanks = attribution();
  const height = heightOf(card, LINES[size]);
  const address = absolute(embedPath(id));
  const { tag, dir } = card.language;
  const link = escapeHtml(absolute(card.permalink));
  const text = escapeHtml(card.quote.text).replaceAll("\n", "<br>");
  const quotation = `<blockquote lang="${tag}" dir="${dir}" cite="${link}"><p>${text}</p><p>— <a href="${link}">${escapeHtml(authorOf(card))}</a></p></blockquote>`;
  return Response.json({
    version: "1.0",
    type: "rich",
    title: name,
    author_name: authorOf(card),
    author_url: absolute(card.permalink),
    provider_name: siteSettings().site.title,
    provider_url: absolute("/"),
    cache_age: CACHE_AGE,
    width: WIDTH,
    height,
    // Where a site takes the frame away or lets it open no window, as WordPress does, the quotation and its link remain.
    html: `${quotation}<iframe src="${address}" width="${WIDTH}" height="${height}" style="border:0;max-width:100%" loading="lazy" title="${escapeHtml(name)}"></iframe>`,
    ...(thanks && { _attribution: thanks.url }),
  });
}

/** Canonical address of a page to embed. */
export function embedCanonical(id: string, card: CardData): string {
  return absolute(id === TODAY ? "/today/" : quotePath(card.quote.id));
}

function heightOf({ quote, language }: CardData, line: (typeof LINES)["large"]): number {
  const setting = scriptSetting(language.tag);
  const [, more = 0] = moreLeading(setting);
  const letters = line.letters / setting.optical;
  const height = line.height * setting.optical * (1 + more / LEADING);
  const linesOf = (part: string): number => Math.max(1, Math.ceil(part.length / letters));
  const lines = quote.text.split("\n").reduce((sum, part) => sum + linesOf(part), 0);
  return Math.min(HEIGHT.most, Math.ceil(HEIGHT.frame + lines * height));
}
