/** What the feed holds: the quotes of the day, each under an address that changes with the day. */
import type { RSSFeedItem, RSSOptions } from "@astrojs/rss";
import { voiceOf } from "../i18n/voice.ts";
import { absolute, FIXED_PATHS } from "../site/address.ts";
import { openSite } from "../site/open-site.ts";
import { siteSettings } from "../site/settings.ts";
import type { CardData } from "../site/types.ts";
import { quoteHead } from "./routes.ts";

export function dayFeed(): RSSOptions {
  const { site } = siteSettings();
  const { date, cards } = openSite().today();
  return {
    title: site.title,
    description: site.description,
    site: absolute(FIXED_PATHS.home),
    trailingSlash: true,
    items: cards.map((card) => item(card, date, site.language)),
  };
}

function item(card: CardData, date: string, fallback: string): RSSFeedItem {
  const voice = voiceOf(card.quote.language, fallback);
  const author = card.author.name ?? voice.messages.unknownAuthor;
  return {
    title: quoteHead(voice, card).title,
    description: `${card.quote.text} — ${author}`,
    link: absolute(card.permalink),
    pubDate: new Date(date),
    categories: card.tags.map((tag) => tag.name),
  };
}
