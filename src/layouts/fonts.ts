/**
 * The typefaces that Astro copies and declares.
 *
 * Nothing is fetched at build time. The weight axis alone: with the optical one a Latin page would fetch 122 kB, not 51.
 */
import { fontProviders } from "astro/config";
import { FACES, FONT_FILES, fontFile, type Cut, type FaceVariable } from "./typefaces.ts";

function family(
  cuts: readonly [Cut, ...Cut[]],
  cssVariable: FaceVariable,
  display: "swap" | "optional",
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
    options: { variants: variants as [(typeof variants)[0], ...typeof variants] },
  };
}

/**
 * A machine without a face for a script shows boxes, so the letters must arrive (`swap`), however late; Latin is legible
 * in any face and never moves (`optional`).
 */
export const FONTS = [
  // A generic family gives a fallback of the same width.
  family(["latin", "latin-ext"], FACES.latin, "optional", ["serif"]),
  ...(["cyrillic", "hebrew", "arabic", "devanagari", "bengali", "telugu"] as const).map((script) =>
    family([script], FACES[script], "swap"),
  ),
];
