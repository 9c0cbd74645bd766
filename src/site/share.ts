/** The links of a quote's own page that share it: they need no script, and nothing is loaded from a service. */
import type { Locale } from "../i18n/locale.ts";
import { SHARE_SERVICES } from "../settings/site-config.ts";
import { plainLine, shorten } from "../util/text.ts";
import type { CardData } from "./cards.ts";
import { absolute, siteSettings } from "./settings.ts";

/** In UTF-16 units: services cut longer texts, and each link has the text once. */
const LENGTH = 200;

/** In the order of `share` in `site/config.ts`. */
export function shareLinks(card: CardData, { messages, reader }: Locale) {
  const author = plainLine(card.author.name ?? messages.unknownAuthor);
  const values = {
    text: encoded(`${shorten(plainLine(card.quote.text), LENGTH)} — ${author}`),
    url: encoded(absolute(card.permalink)),
  };
  return siteSettings().site.share.map((entry) => {
    const { label, href } = typeof entry === "string" ? SHARE_SERVICES[entry] : entry;
    const filled = href.replace(/\{(text|url)\}/g, (_, name: keyof typeof values) => values[name]);
    return { name: label || reader.mail, href: filled };
  });
}

/** Encoded for any part of an address, with the marks that mail programs and chats take for the end of a link. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
}
