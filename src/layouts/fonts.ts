/**
 * The typefaces that Astro copies and declares.
 *
 * Nothing is fetched at build time. The weight axis alone: with the optical one a Latin page would fetch 122 kB, not 51.
 */
import { fontProviders } from "astro/config";
import { FONT_FILES, fontFile, type Cut } from "./typefaces.ts";

type Variants<Variant> = [Variant, ...Variant[]];

/**
 * @param fallbacks a generic family among them gives a fallback of the same width
 */
function family(
  cssVariable: `--${string}`,
  display: "swap" | "optional",
  cuts: readonly [Cut, ...Cut[]],
  fallbacks: string[] = [],
) {
  const variants = cuts.map((cut) => {
    const { range, weight } = FONT_FILES[cut];
    return {
      src: [fontFile(cut)] as [string],
      unicodeRange: [range] as [string],
      weight,
      style: "normal" as const,
    };
  });
  return {
    provider: fontProviders.local(),
    name: FONT_FILES[cuts[0]].name,
    cssVariable,
    display,
    fallbacks,
    options: { variants: variants as Variants<(typeof variants)[number]> },
  };
}

/**
 * A machine without a face for a script shows boxes, so the letters must arrive (`swap`), however late; Latin is legible
 * in any face and never moves (`optional`).
 */
export const FONTS = [
  family("--font-source", "optional", ["latin", "latin-ext"], ["serif"]),
  family("--font-cyrillic", "swap", ["cyrillic"]),
  family("--font-hebrew", "swap", ["hebrew"]),
  family("--font-arabic", "swap", ["arabic"]),
  family("--font-devanagari", "swap", ["devanagari"]),
  family("--font-bengali", "swap", ["bengali"]),
  family("--font-telugu", "swap", ["telugu"]),
];
