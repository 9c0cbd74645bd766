/** What the components receive that a site may override (src/themes/components.ts), as named types. */
import type { HTMLAttributes } from "astro/types";
import type { AuthorFacts } from "../contract/author-facts.ts";
import type { Language } from "../contract/languages.ts";
import type { Picture } from "../contract/picture.ts";
import type { Locale } from "../i18n/locale.ts";
import type { LetterSet } from "../layouts/letters.ts";
import type { PageProps } from "../layouts/page-props.ts";
import type {
  CardData,
  InitialLink,
  LanguageCount,
  ListingKind,
  ListingPage,
  MoreQuotes,
  QuoteFilter,
  Summary,
  TermCount,
} from "../site/index.ts";

export type { PageInput } from "../layouts/page-props.ts";

/** What the frame of a page gives to its parts. */
export interface FrameProps {
  /** Messages, and formats of numbers and dates, in the language of the page. */
  readonly locale: Locale;
  /** Address of the page, without the base path. */
  readonly path: string;
}

export type LogoProps = FrameProps;
export type HeadEndProps = FrameProps;
export type BodyEndProps = FrameProps;

export interface AfterQuoteProps {
  readonly locale: Locale;
  readonly card: CardData;
}

export type MastheadProps = FrameProps;
export type ColophonProps = FrameProps;

export interface HeadingProps {
  /** Text above the name. */
  readonly kicker?: string | undefined;
  readonly name: string;
  /** Language of the name, if it differs from the page's. */
  readonly language?: Language | null;
}

export type ProseProps = Pick<HTMLAttributes<"div">, "lang" | "dir">;

export interface FactsProps {
  readonly locale: Locale;
  readonly summary: Summary;
}

export interface SchemeSwitchProps {
  readonly locale: Locale;
  /** Labels by stored value; "" is the default of the theme. */
  readonly choices?: Readonly<Record<string, string>>;
}

export interface SourcesProps {
  readonly locale: Locale;
}

export interface AuthorFactsProps {
  readonly name: string;
  readonly facts: AuthorFacts;
}

export interface IndexProps {
  readonly locale: Locale;
  readonly kind: ListingKind;
  readonly terms: readonly TermCount[];
}

export interface InitialsProps {
  readonly locale: Locale;
  readonly initials: readonly InitialLink[];
  /** Slug of the initial of this page. */
  readonly current?: string;
}

export interface LanguageLinkProps {
  readonly of: Pick<LanguageCount, "slug" | "language">;
  /** Whether this page is its listing. */
  readonly isCurrent?: boolean;
}

export interface PagerProps {
  readonly locale: Locale;
  readonly page: number;
  readonly pages: number;
  /** Path of a page, without the base path. */
  readonly pathOf: (page: number) => string;
}

export interface DaysProps {
  readonly locale: Locale;
  /** Dates of the neighbours, if any. */
  readonly previous: string | null;
  readonly next?: string | null;
}

export interface MoreProps {
  readonly locale: Locale;
  readonly card: CardData;
  readonly more: MoreQuotes;
}

export interface CardProps {
  readonly card: CardData;
  /** Slug of the tag that the page is about: it is hidden. */
  readonly ownTag?: string | undefined;
}

export interface CardsProps {
  readonly cards: readonly CardData[];
  /** Number of the page in a language's listing: the search index reads only these. */
  readonly searched?: number | null;
  /** The listing that the page is of: its own name and tag are hidden on each card. */
  readonly listing?: Pick<ListingPage, "kind" | "slug"> | undefined;
}

/** What the component `Quotes` shows; all three that are given must hold. */
export type QuotesProps = QuoteFilter;

export interface ByProps {
  readonly card: CardData;
  /** Of the card. */
  readonly locale: Locale;
}

export interface NotesProps extends ByProps {
  /** Slug of the tag that the page is about. */
  readonly ownTag?: string | undefined;
}

export interface PictureProps {
  readonly picture: Picture;
  /** Text alternative; empty for decoration. */
  readonly alt: string;
}

export interface AskProps {
  readonly locale: Locale;
}

export interface ShareProps {
  readonly locale: Locale;
  readonly card: CardData;
}

export type HeadProps = PageProps;

export interface ListingProps {
  readonly listing: ListingPage;
  readonly letters?: LetterSet;
}
