/** What options and variables may say: text in, checked value out; the message says what would have been right. */
import { z } from "zod";
import type { Rate } from "../contract/rate.ts";
import { isKnownLanguage, isLanguageCode } from "../contract/languages.ts";
import type { Part } from "../contract/work.ts";
import { webAddress } from "./site-config.ts";

export type Reader<T = unknown> = z.ZodType<T, string>;

export const wholeNumber = (least: number, most: number): Reader<number> =>
  z
    .string()
    .regex(/^\d{1,15}$/, `expected a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `expected ${least} to ${most}`);

/** In one order: the same names mean the same, however they are listed. */
const distinct = (names: readonly string[]): string[] => [...new Set(names)].sort();

export const names: Reader<string[]> = z
  .string()
  .transform((list) => distinct(list.split(",").map((name) => name.trim())))
  .transform((list) => list.filter((name) => name !== ""))
  // No name at all would be every name.
  .refine((list) => list.length > 0, "expected names, separated by commas");

/** Codes as the decoder accepts them: a record with any other counts as being in no known language. */
export const languageCodes: Reader<string[]> = names
  .refine(
    (codes) => codes.every(isLanguageCode),
    'expected language codes of letters, digits and hyphens, such as "en,pt-BR"',
  )
  // A service compares codes letter by letter: "AR" would find nothing.
  .transform((codes) =>
    distinct(codes.map((code) => [code.toLowerCase()].find(isKnownLanguage) ?? code)),
  );

/** One of a few words. */
export const word = <const W extends readonly string[]>(words: W): Reader<W[number]> =>
  z.enum(words, `expected ${words.join(", ").replace(/, (\S+)$/, " or $1")}`);

/** A switch as a variable: `1` or `0`. */
export const yesNo: Reader<boolean> = word(["0", "1"]).transform((value) => value === "1");

export const origin: Reader<string> = webAddress
  .refine((address) => {
    const { username, password, search, hash } = new URL(address);
    return username + password + search + hash === "";
  }, "expected an address without credentials, query or fragment")
  .transform((address) => {
    // As a URL parser writes it: a scheme may come in capitals, and a lone "?" or "#" may end the address.
    const { origin, pathname } = new URL(address);
    return (origin + pathname).replace(/\/+$/, "");
  });

const pair = (shape: RegExp, expected: string) =>
  z
    .string()
    .regex(shape, expected)
    .transform((text) => text.split("/").map(Number));

/** Timers hold 31 bits of milliseconds: after a longer time a limit would be renewed at once, and so never hold. */
const MAX_RATE_SECONDS = Math.floor((2 ** 31 - 1) / 1_000);

export const rate: Reader<Rate> = pair(
  /^[1-9]\d{0,8}\/[1-9]\d{0,8}$/,
  "expected N/SECONDS, such as 500/3600",
)
  .transform(([requests = 1, seconds = 1]) => ({ requests, seconds }))
  .refine(({ seconds }) => seconds <= MAX_RATE_SECONDS, `expected at most ${MAX_RATE_SECONDS} s`);

/** One of several shares. */
export const share: Reader<Part> = pair(/^[1-9]\d{0,3}\/[1-9]\d{0,3}$/, "expected I/N, such as 1/4")
  .transform(([index = 1, count = 1]) => ({ index, count }))
  .refine(({ index, count }) => index <= count, "expected I to be at most N");

export const port = wholeNumber(0, 65_535);

/** An address or a host name to listen on. */
export const listenAddress: Reader<string> = z
  .string()
  .regex(/^[\w.:-]+$/, "expected an address or a host name");

export const credential: Reader<string> = z
  .string()
  .regex(/^[\x21-\x7e]+$/, "expected printable ASCII without spaces");

/** An option that is given no value takes the next option for it. */
export const path: Reader<string> = z
  .string()
  .regex(/^[^-]/, "expected a file or a folder, with ./ before a name that begins with a hyphen");
