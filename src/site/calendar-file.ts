/**
 * The quotes of the days as a calendar, each an all-day event.
 *
 * Not with the package `ical-generator`: it folds lines by letters instead of bytes, and does not escape names.
 *
 * @see RFC 5545
 * @see RFC 7986 (NAME, REFRESH-INTERVAL)
 */
import { dayPath } from "../plan/index.ts";
import { plainLine, plainText } from "../util/text.ts";
import { authorOf, type Pick } from "./feed-formats.ts";
import { attribution } from "./attribution.ts";
import { beside } from "./days.ts";
import { absolute, siteLocale, siteSettings } from "./settings.ts";

/** Most bytes of a line, without the break. */
const LINE = 75;

/** How often apps should read the file. */
const REFRESH = "PT12H";

/**
 * @param picks oldest first
 * @param latest the latest day with a page; the events of later days link to their quotes
 */
export function calendarOf(picks: readonly Pick[], latest = "9999-12-31"): Response {
  const asked = attribution();
  const thanks = asked === null ? "" : `\n${asked.text}: ${asked.url}`;
  const name = `${siteLocale().messages.quoteOfTheDay} · ${siteSettings().site.title}`;
  const host = new URL(absolute("/")).host;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Commonplace//Quotes of the day//EN",
    "METHOD:PUBLISH",
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...picks.flatMap(({ date, card }) => {
      const day = date.replaceAll("-", "");
      const link = absolute(date > latest ? card.permalink : dayPath(date));
      const text = `${plainText(card.quote.text)}\n— ${authorOf(card)}\n${link}${thanks}`;
      return [
        "BEGIN:VEVENT",
        `UID:${date}@${host}`,
        `DTSTAMP:${day}T000000Z`,
        `DTSTART;VALUE=DATE:${day}`,
        `DTEND;VALUE=DATE:${beside(date, 1).replaceAll("-", "")}`,
        "TRANSP:TRANSPARENT",
        `SUMMARY:${escaped(`${authorOf(card)}: ${plainLine(card.quote.text)}`)}`,
        `DESCRIPTION:${escaped(text)}`,
        `URL:${link}`,
        "END:VEVENT",
      ];
    }),
    "END:VCALENDAR",
  ];
  const content = lines.map((line) => `${folded(line)}\r\n`).join("");
  return new Response(content, { headers: { "Content-Type": "text/calendar; charset=utf-8" } });
}

/** Escapes a text (section 3.3.11). */
function escaped(text: string): string {
  return text.replace(/[\\;,]/g, "\\$&").replace(/\r\n?|\n/g, "\\n");
}

/** Folds a long line with breaks and spaces, between characters (section 3.1). */
function folded(line: string): string {
  let whole = "";
  let bytes = 0;
  for (const letter of line) {
    const size = Buffer.byteLength(letter);
    if (bytes + size > LINE) {
      whole += "\r\n ";
      bytes = 1;
    }
    whole += letter;
    bytes += size;
  }
  return whole;
}
