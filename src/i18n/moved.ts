/** What a page says that leads on to another, in the languages that pages speak. */
import type { KnownLanguage } from "../contract/languages.ts";
import { spoken } from "./spoken.ts";

export const MOVED: Readonly<Record<KnownLanguage, string>> = {
  en: "This page has moved",
  fr: "Cette page a été déplacée",
  de: "Diese Seite ist umgezogen",
  it: "Questa pagina è stata spostata",
  pt: "Esta página mudou de endereço",
  ru: "Эта страница переехала",
  es: "Esta página se ha trasladado",
  tr: "Bu sayfa taşındı",
  uk: "Цю сторінку переміщено",
  he: "הדף הזה עבר לכתובת אחרת",
  ar: "انتقلت هذه الصفحة",
  be: "এই পাতাটি সরানো হয়েছে",
  te: "ఈ పేజీ వేరే చోటికి మారింది",
  hi: "यह पृष्ठ दूसरी जगह चला गया है",
};

/** @param code of a language; English for one we do not speak */
export function movedIn(code: string): string {
  return spoken(MOVED, code);
}
