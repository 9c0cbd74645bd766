/** Marks our own words beside a quote whose language we do not speak; nothing where the card's language is ours too. */
import type { Voice } from "../../i18n/voice.ts";
import type { CardData } from "../../site/index.ts";

export function inVoice(card: CardData, voice: Voice): { lang?: string } {
  return voice.language.tag === card.language.tag ? {} : { lang: voice.language.tag };
}
