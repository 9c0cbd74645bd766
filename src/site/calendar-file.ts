/**
 * The quotes of the days for calendar apps: an event that lasts all day for each.
 *
 * The package `ical-generator` was tried: it folds lines by letters in the place of bytes, and writes names unescaped.
 *
 * @see RFC 5545
 */
import { dayPath } from "../plan/index.ts";
import { plainLine, plainText } from "../contract/text.ts";
import { authorOf, type Pick } from "./feed-formats.ts";
import { absolute, attribution, siteLocale, siteSettings } from "./settings.ts";

/** In bytes, without the break. */
const LINE = 75;

/** @param picks oldest first; the same days give the same bytes */
export function calendarOf(picks: readonly Pick[]): Response {
  const asked = attribution();
  const thanks = asked === null ? "" : `\n${asked.text}: ${asked.url}`;
  const name = `${siteLocale().messages.quoteOfTheDay} · ${siteSettings().site.title}`;
  const host = new URL(absolute("/")).host;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Commonplace//Quotes of the day//EN",
    `X-WR-CALNAME:${escaped(name)}`,
    ...picks.flatMap(({ date, card }) => {
      const day = date.replaceAll("-", "");
      const link = absolute(dayPath(date));
      const text = `${plainText(card.quote.text)}\n— ${authorOf(card)}\n${link}${thanks}`;
      return [
        "BEGIN:VEVENT",
        `UID:${date}@${host}`,
        `DTSTAMP:${day}T000000Z`,
        `DTSTART;VALUE=DATE:${day}`,
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

/** Section 3.3.11. */
function escaped(text: string): string {
  return text.replace(/[\\;,]/g, "\\$&").replace(/\r\n?|\n/g, "\\n");
}

/** Section 3.1: a longer line goes on behind a break and a blank, and no letter is cut in two. */
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
