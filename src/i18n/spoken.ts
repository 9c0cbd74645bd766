/** Which of the languages that pages speak a voice has: the one place that falls back to English. */
import { isKnownLanguage, type KnownLanguage } from "../contract/languages.ts";

/** @param code of a voice; English for one we do not speak */
export function spoken<T>(messages: Readonly<Record<KnownLanguage, T>>, code: string): T {
  return messages[isKnownLanguage(code) ? code : "en"];
}
