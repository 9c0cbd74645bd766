/** The type of one language's texts: the keys of the English ones. A language that lacks a sentence does not compile. */
import type { en } from "./languages/en.ts";

export type Translation = TextsLike<typeof en>;

/** What pages say around quotes. */
export type Messages = Translation["page"];

/** One sentence for each plural form; `{n}` is the number, and may be left out where the form says it in words. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

type TextsLike<English> = English extends string
  ? string
  : English extends Plural
    ? Plural
    : { readonly [Key in keyof English]: TextsLike<English[Key]> };

/** The blanks of a sentence. */
export type Blank<Sentence> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Blank<Rest>
  : never;
