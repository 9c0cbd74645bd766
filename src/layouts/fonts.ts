/**
 * The typefaces that Astro copies and declares.
 *
 * Nothing is fetched at build time. The weight axis alone: with the optical one a Latin page would fetch 122 kB, not 51.
 */
import { fontProviders } from "astro/config";
import { FACES, FONT_FILES, fontFile, type Cut } from "./typefaces.ts";

const variantOf = (cut: Cut) => ({
  src: [fontFile(cut)] as [string],
  unicodeRange: [FONT_FILES[cut].range] as [string],
  weight: FONT_FILES[cut].weight,
  style: "normal" as const,
});

/** The family of a script, as Astro takes it. */
function family(script: Exclude<Cut, "latin-ext">, ...more: readonly Cut[]) {
  return {
    provider: fontProviders.local(),
    name: FONT_FILES[script].name,
    cssVariable: FACES[script],
    // A machine without a face for a script shows boxes, so its letters must arrive, however late.
    display: "swap" as const,
    fallbacks: [],
    options: { variants: [variantOf(script), ...more.map(variantOf)] as const },
  };
}

export const FONTS = [
  // Latin is legible in any face and never moves; a generic family gives a fallback of the same width.
  { ...family("latin", "latin-ext"), display: "optional" as const, fallbacks: ["serif"] },
  ...(["cyrillic", "hebrew", "arabic", "devanagari", "bengali", "telugu"] as const).map((script) =>
    family(script),
  ),
];
