/** Readers of options and variables: text in, checked value out. The message of a failure says what is expected. */
import { z } from "zod";
import { SERVICE_API } from "../client/service-api.ts";
import type { Rate } from "../util/rate-limit.ts";
import { readLanguage } from "../contract/language-names.ts";
import { isKnownLanguage, isLanguageCode, UNDETERMINED } from "../contract/languages.ts";
import type { Part } from "../util/work.ts";
import { webAddress } from "./site-config.ts";

export type Reader<T = unknown> = z.ZodType<T, string>;

export const wholeNumber = (min: number, max: number): Reader<number> =>
  z
    .string()
    .regex(/^\d{1,15}$/, `expected a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `expected ${min} to ${max}`);

/** Sorted, so that equal sets of names give equal values. */
const distinct = (names: readonly string[]): string[] => [...new Set(names)].sort();

export const names: Reader<string[]> = z
  .string()
  .transform((list) => distinct(list.split(",").map((name) => name.trim())))
  .transform((list) => list.filter((name) => name !== ""))
  // An empty list would select everything.
  .refine((list) => list.length > 0, "expected names, separated by commas");

/** The code that the decoder reads for a name; what it does not know, as it is. */
function codeOf(written: string): string {
  const code = readLanguage(written);
  return code === UNDETERMINED ? written : code;
}

/** Codes as the decoder accepts them, or names: it reads a record with another code as one without a known language. */
export const languageCodes: Reader<string[]> = names
  .transform((list) => list.map(codeOf))
  .refine(
    (codes) => codes.every(isLanguageCode),
    'expected language codes of letters, digits and hyphens, such as "en,pt-BR"',
  )
  // Services compare codes exactly: "AR" would match nothing.
  .transform((codes) =>
    distinct(codes.map((code) => [code.toLowerCase()].find(isKnownLanguage) ?? code)),
  );

/** One of a few words. */
export const word = <const W extends readonly string[]>(words: W): Reader<W[number]> =>
  z.enum(words, `expected ${words.join(", ").replace(/, (\S+)$/, " or $1")}`);

/** A boolean variable: `1` or `0`. */
export const yesNo: Reader<boolean> = word(["0", "1"]).transform((value) => value === "1");

/** Names of hosts; a port says nothing of who asks, and is dropped. */
export const hostNames: Reader<string[]> = names
  .transform((list) => distinct(list.map((name) => name.replace(/^([^:]+|\[[^\]]+\]):\d+$/, "$1"))))
  .refine(
    (list) => list.every((name) => /^(?:[^\s/:?#@]+|\[?[\da-f:.]+\]?)$/i.test(name)),
    "expected names of hosts, separated by commas",
  );

/** Cuts an address at the root of the service: people copy the address of a list. */
function beforeApi(address: string): string {
  const { pathname, username, password, origin } = new URL(address);
  const at = `${pathname}/`.indexOf(`${SERVICE_API.root}/`);
  if (at < 0 || username + password !== "") return address;
  return origin + pathname.slice(0, at);
}

export const origin: Reader<string> = webAddress
  .transform(beforeApi)
  .refine((address) => {
    const { username, password, search, hash } = new URL(address);
    return username + password + search + hash === "";
  }, "expected an address without credentials, query or fragment")
  .transform((address) => {
    // Normalised: the scheme may be in capitals, and a lone "?" or "#" may end the address.
    const { origin, pathname } = new URL(address);
    return (origin + pathname).replace(/\/+$/, "");
  });

/** The address of the service, and what was given where a part of it was cut off; else null. */
export const serviceAddress: Reader<{ readonly url: string; readonly cutFrom: string | null }> = z
  .string()
  .transform((given, context) => {
    const read = origin.safeParse(given);
    if (!read.success) {
      for (const { message } of read.error.issues) context.addIssue(message);
      return z.NEVER;
    }
    const isCut = beforeApi(given) !== given;
    return { url: read.data, cutFrom: isCut ? given.replace(/[?#].*$/s, "") : null };
  });

const pair = (shape: RegExp, expected: string) =>
  z
    .string()
    .regex(shape, expected)
    .transform((text) => text.split("/").map(Number));

/** A timer holds 31 bits of milliseconds. With a longer period a limit would be reset at once and never apply. */
const MAX_RATE_SECONDS = Math.floor((2 ** 31 - 1) / 1_000);

export const rate: Reader<Rate> = pair(
  /^[1-9]\d{0,8}\/[1-9]\d{0,8}$/,
  "expected N/SECONDS, such as 500/3600",
)
  .transform(([requests = 1, seconds = 1]) => ({ requests, seconds }))
  .refine(({ seconds }) => seconds <= MAX_RATE_SECONDS, `expected at most ${MAX_RATE_SECONDS} s`);

/** Share I of N. */
export const share: Reader<Part> = pair(/^[1-9]\d{0,3}\/[1-9]\d{0,3}$/, "expected I/N, such as 1/4")
  .transform(([index = 1, count = 1]) => ({ index, count }))
  .refine(({ index, count }) => index <= count, "expected I to be at most N");

export const port = wholeNumber(0, 65_535);

/** An address or a host name to listen on. */
export const listenAddress: Reader<string> = z
  .string()
  .regex(/^[\w.:-]+$/, "expected an address or a host name");

/** The address of a proxy, which may hold a name and a password; the scheme may be missing, as curl allows. */
export const proxy: Reader<string> = z
  .string()
  .transform((address) => (address.includes("://") ? address : `http://${address}`))
  .refine((address) => {
    const url = URL.parse(address);
    return url !== null && /^(?:https?|socks5?):$/.test(url.protocol) && url.hostname !== "";
  }, "expected the address of a proxy, such as http://proxy.example:3128");

export const hostList: Reader<string> = z
  .string()
  .regex(/^[\w.*:,[\]\s/-]+$/, "expected names of hosts, separated by commas");

export const credential: Reader<string> = z
  .string()
  .regex(/^[\x21-\x7e]+$/, "expected printable ASCII without spaces");

/** A leading hyphen is refused: an option without a value would take the next option as its value. */
export const path: Reader<string> = z
  .string()
  .regex(/^[^-]/, "expected a file or a folder, with ./ before a name that begins with a hyphen");
