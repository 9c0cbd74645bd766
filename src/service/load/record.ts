/**
 * One line of a data file as a quote of the collection.
 *
 * The words are kept as they stand, control characters and glued authors included: the service sends what it was
 * given, and a consumer's tidying is not tested by text that is tidy already. Only NUL and lone surrogates go, which
 * SQLite cannot hold.
 */
import { z } from "zod";
import { MAX_PK } from "../../contract/quote.ts";
import type { Decoded } from "../../contract/decode.ts";
import type { HeldQuote } from "../store/held-quote.ts";
import { derivedCurated, derivedImage, derivedLikes } from "./derive.ts";

const text = z.string().transform((raw) => raw.toWellFormed().replaceAll("\0", ""));

/** Far below 2^53, so that votes can be counted on for ever. */
const MAX_LIKES = 1e12;

const recordSchema = z.object({
  pk: z
    .int("expected an integer")
    .min(1, "expected at least 1")
    .max(MAX_PK, "too large")
    .optional(),
  quote: text.refine((quote) => quote.trim() !== "", "expected text, got none"),
  author: text.nullish(),
  likes: z.int("expected an integer").min(-MAX_LIKES).max(MAX_LIKES).nullish(),
  tags: z.union([z.array(text), text.transform((list) => list.split(","))]).nullish(),
  image: text.nullish(),
  language: text.pipe(z.string().max(35, "expected a language code")).nullish(),
  curated: z.union([z.boolean(), z.literal([0, 1]).transform((flag) => flag === 1)]).nullish(),
});

/** What a record without a language gets (BCP 47, "undetermined"). */
const NO_LANGUAGE = "und";

/** @param line number of the line, which is its pk where it names none */
export function readRecord(json: string, line: number): Decoded<HeldQuote> {
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, reason: "not JSON" };
  }
  const read = recordSchema.safeParse(raw);
  if (!read.success) {
    const issue = read.error.issues[0];
    const field = issue?.path.join(".") ?? "";
    return { ok: false, reason: `${field === "" ? "record" : field}: ${issue?.message ?? "bad"}` };
  }
  const { pk = line, quote, author, likes, tags, image, language, curated } = read.data;
  const names = (tags ?? []).map((name) => name.trim()).filter((name) => name !== "");
  return {
    ok: true,
    value: {
      pk,
      quote,
      author: author ?? null,
      likes: likes ?? derivedLikes(quote),
      tags: [...new Set(names)],
      image: image === undefined ? derivedImage(quote) : image,
      language: language ?? NO_LANGUAGE,
      curated: curated ?? derivedCurated(quote),
    },
  };
}
