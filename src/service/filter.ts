/**
 * Reads the filters of the quote list.
 *
 * An empty value is no filter; an invalid value (`minlength=abc`, `order=price`) is a bad request. `limit` and `offset`
 * are read elsewhere and never refused.
 */
import { z } from "zod";
import { foldName } from "./quote.ts";

const ON = ["1", "true", "yes", "on"] as const;
const OFF = ["", "0", "false", "no", "off"] as const;

const flag = z
  .string()
  .toLowerCase()
  .pipe(z.enum([...ON, ...OFF]))
  .transform((word) => (ON as readonly string[]).includes(word));

const length = z
  .string()
  .trim()
  .regex(/^(?:[+-]?\d+)?$/)
  .transform((text) =>
    text === "" ? null : Math.max(-1, Math.min(Number(text), Number.MAX_SAFE_INTEGER)),
  );

const code = z.string().trim();

export const filterSchema = z.object({
  tags: z
    .string()
    .transform((list) => [...new Set(list.split(",").map((name) => name.trim()))].filter(Boolean)),
  curated: flag,
  order: z.enum(["", "-likes"]),
  lang: code,
  language: code,
  author: z.string().transform(foldName),
  minlength: length,
  maxlength: length,
});

export type QuoteFilter = Readonly<NonNullable<ReturnType<typeof readFilter>>>;

/** @returns null when a value is invalid */
export function readFilter(readValue: (name: string) => string) {
  const raw = Object.keys(filterSchema.shape).map((name) => [name, readValue(name)]);
  const read = filterSchema.safeParse(Object.fromEntries(raw));
  if (!read.success) return null;
  const { tags, curated, order, lang, language, author, minlength, maxlength } = read.data;
  const codes = [...new Set([lang, language].filter((one) => one !== ""))];
  return {
    /** A quote must carry all of them. */
    tags,
    /** True for curated quotes only. */
    curated,
    /** Most liked first, ties by pk; otherwise by pk. */
    byLikes: order === "-likes",
    /** Null for any. No quote has two languages, and none has a language of this name. */
    language: codes.length > 1 ? codes.join(" and ") : (codes[0] ?? null),
    /** A folded part of the author's name; empty for any. */
    author,
    /** In code points, inclusive; null for no bound. */
    minLength: minlength,
    maxLength: maxlength,
  };
}
