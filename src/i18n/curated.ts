/** What the search calls the quotes that a person chose, in the languages that pages speak. */
import type { KnownLanguage } from "../contract/languages.ts";
import { spoken } from "./spoken.ts";

const CURATED_ONLY: Readonly<Record<KnownLanguage, string>> = {
  en: "Curated only",
  fr: "Sélection seulement",
  de: "Nur ausgewählte",
  it: "Solo scelte",
  pt: "Só selecionadas",
  ru: "Только избранное редакцией",
  es: "Solo seleccionadas",
  tr: "Yalnızca seçilmişler",
  uk: "Лише відібрані",
  he: "נבחרים בלבד",
  ar: "المختارة فقط",
  be: "শুধু বাছাই করা",
  te: "ఎంపిక చేసినవి మాత్రమే",
  hi: "केवल चुने हुए",
};

export function curatedOnly(code: string): string {
  return spoken(CURATED_ONLY, code);
}
