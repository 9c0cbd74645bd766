/** Marks our own words beside a quote whose language we do not speak; nothing where the card's language is ours too. */
import type { Locale } from "../../i18n/locale.ts";
import type { CardData } from "../../site/index.ts";

export function inVoice(card: CardData, locale: Locale): { lang?: string } {
  return locale.language.tag === card.language.tag ? {} : { lang: locale.language.tag };
}
