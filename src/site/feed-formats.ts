/**
 * Feeds in three formats: RSS 2.0, Atom and JSON Feed 1.1.
 *
 * An item's id consists of its quote and its day: a quote that moves to another page is the same item, a quote that is
 * chosen again is a new one. Not with the package `feed`: it turns `&amp;` in a text into `&`, and its Atom is invalid.
 *
 * @see https://www.rssboard.org/rss-specification
 * @see RFC 4287 (Atom)
 * @see https://www.jsonfeed.org/version/1.1/
 */
import { sourceLine } from "../contract/quote.ts";
import { quotePath } from "../plan/index.ts";
import XmlBuilder from "fast-xml-builder";
import { plainLine, plainText, escapeHtml, shorten } from "../util/text.ts";
import type { CardData } from "./cards.ts";
import { attribution } from "./attribution.ts";
import { absolute, siteLocale, siteSettings } from "./settings.ts";

/** A quote of a feed and its day. */
export interface Pick {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  readonly card: CardData;
}

export interface Feed {
  readonly title: string;
  readonly description: string;
  /** Of its title and description, BCP 47: its quotes may be in others. */
  readonly language: string;
  /** Path of the page with the same quotes. */
  readonly page: string;
  /** Folder of the feed's files, with slashes at both ends. */
  readonly folder: string;
  /** Newest first. */
  readonly picks: readonly Pick[];
}

export const FEED_FILES = { rss: "feed.xml", atom: "atom.xml", json: "feed.json" } as const;

const TITLE_LENGTH = 80;

/** Paths of square pictures of the site: feed readers show them beside its name. */
const ICONS = { small: "/apple-touch-icon.png", large: "/icon-512.png" };

/** Date of a feed without items. */
const EPOCH = "1970-01-01";

const builder = new XmlBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  textNodeName: "#text",
  suppressBooleanAttributes: false,
});

export function rssOf(feed: Feed): Response {
  return xmlResponse({
    rss: {
      "@version": "2.0",
      "@xmlns:atom": "http://www.w3.org/2005/Atom",
      "@xmlns:dc": "http://purl.org/dc/elements/1.1/",
      "@xmlns:content": "http://purl.org/rss/1.0/modules/content/",
      channel: {
        title: feed.title,
        description: withThanks(feed.description),
        link: absolute(feed.page),
        language: feed.language,
        lastBuildDate: new Date(feed.picks[0]?.date ?? EPOCH).toUTCString(),
        image: {
          url: absolute(ICONS.small),
          title: feed.title,
          link: absolute(feed.page),
        },
        "atom:link": {
          "@href": addressOf(feed, "rss"),
          "@rel": "self",
          "@type": "application/rss+xml",
        },
        item: feed.picks.map((pick) => ({
          title: titleOf(pick.card),
          link: absolute(pick.card.permalink),
          guid: { "@isPermaLink": "false", "#text": idOf(pick) },
          description: `${plainText(pick.card.quote.text)} — ${signatureOf(pick.card)}`,
          pubDate: new Date(pick.date).toUTCString(),
          "dc:creator": authorOf(pick.card),
          category: pick.card.tags.map(({ name }) => name),
          "content:encoded": htmlOf(pick.card),
        })),
      },
    },
  });
}

export function atomOf(feed: Feed): Response {
  const { title } = siteSettings().site;
  return xmlResponse({
    feed: {
      "@xmlns": "http://www.w3.org/2005/Atom",
      "@xml:lang": feed.language,
      id: addressOf(feed, "atom"),
      title: feed.title,
      subtitle: withThanks(feed.description),
      updated: midnight(feed.picks[0]?.date ?? EPOCH),
      icon: absolute(ICONS.small),
      author: { name: title, uri: absolute("/") },
      link: [
        { "@rel": "self", "@href": addressOf(feed, "atom"), "@type": "application/atom+xml" },
        { "@rel": "alternate", "@href": absolute(feed.page), "@type": "text/html" },
      ],
      entry: feed.picks.map((pick) => ({
        "@xml:lang": pick.card.language.tag,
        id: idOf(pick),
        title: titleOf(pick.card),
        link: { "@rel": "alternate", "@href": absolute(pick.card.permalink), "@type": "text/html" },
        updated: midnight(pick.date),
        published: midnight(pick.date),
        author: { name: authorOf(pick.card) },
        category: pick.card.tags.map(({ name }) => ({ "@term": name })),
        content: { "@type": "html", "#text": htmlOf(pick.card) },
      })),
    },
  });
}

export function jsonFeedOf(feed: Feed): Response {
  const { title } = siteSettings().site;
  const thanks = attribution();
  return Response.json({
    version: "https://jsonfeed.org/version/1.1",
    title: feed.title,
    description: feed.description,
    home_page_url: absolute(feed.page),
    feed_url: addressOf(feed, "json"),
    icon: absolute(ICONS.large),
    favicon: absolute(ICONS.small),
    language: feed.language,
    authors: [{ name: title, url: absolute("/") }],
    ...(thanks && { _attribution: { name: thanks.text, url: thanks.url } }),
    items: feed.picks.map((pick) => ({
      id: idOf(pick),
      url: absolute(pick.card.permalink),
      title: titleOf(pick.card),
      content_html: htmlOf(pick.card),
      content_text: plainText(pick.card.quote.text),
      date_published: midnight(pick.date),
      authors: [{ name: authorOf(pick.card) }],
      language: pick.card.language.tag,
      tags: pick.card.tags.map(({ name }) => name),
    })),
  });
}

function xmlResponse(content: object): Response {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>${builder.build(content)}`;
  return new Response(xml, { headers: { "Content-Type": "application/xml" } });
}

function addressOf({ folder }: Feed, format: keyof typeof FEED_FILES): string {
  return absolute(folder + FEED_FILES[format]);
}

const midnight = (date: string): string => `${date}T00:00:00Z`;

function idOf({ card, date }: Pick): string {
  return `${absolute(quotePath(card.quote.id))}#${date}`;
}

export function titleOf(card: CardData): string {
  return `${authorOf(card)}: ${shorten(plainLine(card.quote.text), TITLE_LENGTH)}`;
}

export function authorOf({ author, quote }: CardData): string {
  return author.name ?? siteLocale(quote.language).messages.unknownAuthor;
}

/** The author, and the work where that is known. */
function signatureOf(card: CardData): string {
  return [authorOf(card), ...(card.source === null ? [] : [sourceLine(card.source)])].join(", ");
}

function htmlOf(card: CardData): string {
  const { quote, language } = card;
  const text = escapeHtml(quote.text).replaceAll("\n", "<br>");
  const thanks = attribution();
  const link =
    thanks && `<p><a href="${escapeHtml(thanks.url)}">${escapeHtml(thanks.text)}</a></p>`;
  return `<blockquote lang="${language.tag}" dir="${language.dir}">${text}</blockquote><p>— ${escapeHtml(signatureOf(card))}</p>${link ?? ""}`;
}

function withThanks(description: string): string {
  const thanks = attribution();
  return thanks === null ? description : `${description} ${thanks.text}: ${thanks.url}`;
}
