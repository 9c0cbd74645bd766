/**
 * The typefaces that Astro copies and declares; a build fetches none.
 *
 * Only with the weight axis: with the optical size axis too, a Latin page would load 122 kB instead of 51 kB.
 */
import type { AstroConfig } from "astro";
import { fontProviders } from "astro/config";
import type { Script } from "../contract/languages.ts";
import { extensionsOf, FACES, FONT_FILES, fontFile, type FontSubset } from "./typefaces.ts";

const variantOf = (subset: FontSubset) => ({
  src: [fontFile(subset)] as [string],
  unicodeRange: [FONT_FILES[subset].range] as [string],
  weight: FONT_FILES[subset].weight,
  style: "normal" as const,
});

function family(script: Exclude<Script, "other">) {
  return {
    provider: fontProviders.local(),
    name: FONT_FILES[script].name,
    cssVariable: FACES[script],
    // Without a typeface for the script a reader sees boxes, so a late typeface must still be used.
    display: "swap" as const,
    fallbacks: [],
    options: {
      variants: [
        variantOf(script),
        // A late file of more letters must be used too: words would stay in two typefaces.
        ...extensionsOf(script).map((subset) => ({
          ...variantOf(subset),
          display: "swap" as const,
        })),
      ] as const,
    },
  };
}

/** Those that a page declares where it has such quotes. */
const OTHERS = [
  "cyrillic",
  "greek",
  "hebrew",
  "arabic",
  "devanagari",
  "bengali",
  "telugu",
] as const;

export const FONTS: NonNullable<AstroConfig["fonts"]> = [
  // Latin is legible in any typeface, so a late one is not used; Astro adjusts the fallback to its width.
  { ...family("latin"), display: "optional" as const, fallbacks: ["serif"] },
  ...OTHERS.map(family),
];
