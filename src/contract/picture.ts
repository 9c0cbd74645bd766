/**
 * Types that the picture stage and the pages share: thumbnails and Open Graph images.
 *
 * With the policy `fallback` a page draws a stand-in, which has no files.
 */
import type { Language } from "./languages.ts";

/**
 * What to do when a picture cannot be made: `fallback` draws a stand-in, `skip` shows nothing, `fail` ends the build.
 */
export const PICTURE_POLICIES = ["fallback", "skip", "fail"] as const;

export type PicturePolicy = (typeof PICTURE_POLICIES)[number];

export type Picture = Thumbnail | StandIn;

/** A picture of the service, made small. */
interface Thumbnail {
  readonly kind: "thumbnail";
  /** Size of the 1× variant in CSS pixels, for `width` and `height` of the `<img>`. */
  readonly width: number;
  readonly height: number;
  /** The mean colour, `#rrggbb`, shown until the picture is loaded; null where the picture is transparent. */
  readonly colour: string | null;
  /** One per format, best first; every browser supports the last. */
  readonly sources: readonly PictureSource[];
}

/** Drawn by the page: the quote has the address of a picture that could not be made. */
interface StandIn extends Pick<Thumbnail, "width" | "height"> {
  readonly kind: "stand-in";
}

interface PictureSource {
  readonly type: "image/avif" | "image/webp";
  /** Rising density; the first is 1. */
  readonly variants: readonly {
    /** Address within the site, ready for `srcset`. */
    readonly src: string;
    /** Pixels for each CSS pixel: 1 to 2, with two decimals where the original was small. */
    readonly density: number;
    /** Pixels. */
    readonly width: number;
    readonly height: number;
  }[];
}

/** Pixels of each shape: `wide` is what Open Graph shows, `square` is for download. */
export const OG_SIZES = {
  wide: { width: 1_200, height: 630 },
  square: { width: 1_080, height: 1_080 },
} as const;

export type OgShape = keyof typeof OG_SIZES;

/** An Open Graph image: a PNG file. */
export interface OgImage {
  /** Address within the site. */
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

/** The content of an Open Graph image. All text is untrusted. */
export interface OgRequest {
  /** Path of the page below the site's base, such as `quote/12/`; empty for home, whose image serves the whole site. */
  readonly key: string;
  /** `quote` shows the text in quotation marks; `title` is the name of a page. */
  readonly style: "quote" | "title";
  readonly text: string;
  /** Author of a quote, or a line below a title; null for none. */
  readonly byline: string | null;
  /** Language of the text, which sets typeface, direction and quotation marks. */
  readonly language: Language;
  readonly shapes: readonly OgShape[];
}

/** The four colours of an image, `#rrggbb`. */
export interface OgTheme {
  readonly paper: string;
  readonly ink: string;
  /** Byline and footer. */
  readonly muted: string;
  /** Rule and quotation mark. */
  readonly accent: string;
}
