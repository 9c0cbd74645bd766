/**
 * Feeds in their two forms, RSS 2.0 and JSON Feed 1.1, of the same items.
 *
 * An item's id is made of its quote and its day. It outlives a move of the quote to another page, and a quote that comes
 * again is news again.
 *
 * @see https://www.rssboard.org/rss-specification
 * @see https://www.jsonfeed.org/version/1.1/
 */
import { getRssString } from "@astrojs/rss";
import { plainLine, plainText } from "../contract/text.ts";
import { localeOf } from "../i18n/locale.ts";
import { absolute, quotePath } from "./address.ts";
import type { CardData } from "./cards.ts";
import { escapeHtml } from "./escape.ts";
import { siteSettings } from "./settings.ts";

/** A quote of a feed and the day it came. */
export interface Pick {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  readonly card: CardData;
}

export interface Feed {
  readonly title: string;
  readonly description: string;
  /** BCP 47; null where its quotes are in several. */
  readonly language: string | null;
  /** Of the page it belongs to. */
  readonly page: string;
  /** Of the feed itself. */
  readonly path: string;
  readonly picks: readonly Pick[];
}

const TITLE_LENGTH = 80;

export async function rssOf(feed: Feed): Promise<Response> {
  const { attribution } = siteSettings().site;
  const thanks = isFree() ? ` ${attributionText()}: ${attribution.url}` : "";
  const xml = await getRssString({
    title: feed.title,
    description: `${feed.description}${thanks}`,
    site: absolute(feed.page),
    trailingSlash: true,
    xmlns: { atom: "http://www.w3.org/2005/Atom", dc: "http://purl.org/dc/elements/1.1/" },
    customData: [
      ...(feed.language === null ? [] : [`<language>${feed.language}</language>`]),
      `<atom:link href="${absolute(feed.path)}" rel="self" type="application/rss+xml"/>`,
    ].join(""),
    items: feed.picks.map((pick, index) => {
      const { card, date } = pick;
      return {
        title: titleOf(pick),
        content: htmlOf(pick),
        description: `${plainText(card.quote.text)} — ${authorOf(pick)}`,
        link: absolute(card.permalink),
        pubDate: new Date(date),
        categories: card.tags.map(({ name }) => name),
        customData:
          `<guid isPermaLink="false">${escapeHtml(idOf(pick))}</guid>` + creator(`:${index}`),
      };
    }),
  });
  // The library takes its own pieces of XML apart, and would make 100000 of an author called 1e5: names come in after.
  const whole = xml.replace(/<dc:creator>:(\d+)<\/dc:creator>/g, (placeholder, index: string) => {
    const pick = feed.picks[Number(index)];
    return pick === undefined ? placeholder : creator(authorOf(pick));
  });
  return new Response(whole, { headers: { "Content-Type": "application/xml" } });
}

function creator(name: string): string {
  return `<dc:creator>${escapeHtml(name)}</dc:creator>`;
}

export function jsonFeedOf(feed: Feed): Response {
  const { title, attribution } = siteSettings().site;
  return Response.json({
    version: "https://jsonfeed.org/version/1.1",
    title: feed.title,
    description: feed.description,
    home_page_url: absolute(feed.page),
    feed_url: absolute(feed.path),
    ...(feed.language === null ? {} : { language: feed.language }),
    authors: [{ name: title, url: absolute("/") }],
    ...(isFree() ? { _attribution: { name: attributionText(), url: attribution.url } } : {}),
    items: feed.picks.map((pick) => ({
      id: idOf(pick),
      url: absolute(pick.card.permalink),
      title: titleOf(pick),
      content_html: htmlOf(pick),
      content_text: plainText(pick.card.quote.text),
      date_published: `${pick.date}T00:00:00Z`,
      authors: [{ name: authorOf(pick) }],
      language: pick.card.language.tag,
      tags: pick.card.tags.map(({ name }) => name),
    })),
  });
}

function idOf({ card, date }: Pick): string {
  return `${absolute(quotePath(card.quote.id))}#${date}`;
}

function titleOf(pick: Pick): string {
  const text = plainLine(pick.card.quote.text);
  const short =
    text.length <= TITLE_LENGTH
      ? text
      : `${text
          .slice(0, TITLE_LENGTH)
          .toWellFormed()
          .replace(/\uFFFD$/, "")}…`;
  return `${authorOf(pick)}: ${short}`;
}

function authorOf({ card }: Pick): string {
  const { messages } = localeOf(card.quote.language, siteSettings().site.language);
  return card.author.name ?? messages.unknownAuthor;
}

function htmlOf(pick: Pick): string {
  const { quote, language } = pick.card;
  const text = escapeHtml(quote.text).replaceAll("\n", "<br>");
  const { attribution } = siteSettings().site;
  const thanks = isFree()
    ? `<p><a href="${escapeHtml(attribution.url)}">${escapeHtml(attributionText())}</a></p>`
    : "";
  return `<blockquote lang="${language.tag}" dir="${language.dir}">${text}</blockquote><p>— ${escapeHtml(authorOf(pick))}</p>${thanks}`;
}

/** The service's terms ask for it wherever its quotes are shown. */
function isFree(): boolean {
  return siteSettings().service.plan === "free";
}

function attributionText(): string {
  const { attribution, language } = siteSettings().site;
  return localeOf(language, "en").fill("attribution", { name: attribution.name });
}
