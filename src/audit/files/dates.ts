/** Validates the dates of feeds and sitemaps; 31 February is not valid. */
import { z } from "zod";

const RFC_822 =
  /^(?:[A-Z][a-z]{2}, )?(\d{1,2}) [A-Z][a-z]{2} \d{4} \d{2}:\d{2}(?::\d{2})? (?:GMT|UT|Z|[ECMP][SD]T|[+-]\d{4})$/;

/** The format of RSS: RFC 822 with a year of four digits. A day of the week must match the date. */
export function isRfc822(text: string): boolean {
  const day = RFC_822.exec(text)?.[1];
  if (day === undefined) return false;
  // The zone is ignored, so that the day stays as written. Date.parse reads 31 February as 3 March.
  const date = new Date(text.replace(/\S+$/, "GMT"));
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return false;
  return !text.includes(",") || date.toUTCString().startsWith(text.slice(0, 4));
}

const rfc3339 = z.iso.datetime({ offset: true });
const w3c = z.union([z.iso.date(), rfc3339]);

export const isRfc3339 = (text: string): boolean => rfc3339.safeParse(text).success;

/** The format of sitemaps: a day, or a time as in RFC 3339. */
export const isW3cDate = (text: string): boolean => w3c.safeParse(text).success;
