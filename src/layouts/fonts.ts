/**
 * Where the typefaces come from: variable fonts of installed packages, cut by script, for Astro to copy and declare.
 *
 * Nothing is fetched at build time. The weight axis alone: with the optical one a Latin page would fetch 122 kB, not 51.
 */
import { fontProviders } from "astro/config";

/** Ranges as the packages cut their files. */
const RANGE = {
  latin:
    "U+0-FF,U+131,U+152-153,U+2BB-2BC,U+2C6,U+2DA,U+2DC,U+304,U+308,U+329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215",
  latinExt:
    "U+100-130,U+132-151,U+154-2BA,U+2BD-2C5,U+2C7-2CC,U+1E00-1E9F,U+1EF2-1EFF,U+20A0-20AB,U+20AD-20C4",
  cyrillic: "U+301,U+400-45F,U+490-491,U+4B0-4B1,U+2116",
  hebrew: "U+590-5FF,U+20AA,U+FB1D-FB4F",
  arabic: "U+600-6FF,U+750-77F,U+870-8FF,U+200C-200E,U+FB50-FDFF,U+FE70-FEFC",
  devanagari: "U+900-97F,U+1CD0-1CF9,U+200C-200D,U+20B9,U+25CC,U+A830-A839,U+A8E0-A8FF",
  bengali: "U+964-965,U+980-9FE,U+1CD0-1CF7,U+200C-200D,U+25CC,U+A8F1",
  telugu: "U+964-965,U+C00-C7F,U+200C-200D,U+25CC",
};

/** A file of a package, as one face of its family. */
function face(family: string, cut: string, range: string, weight: string) {
  return {
    src: [`@fontsource-variable/${family}/files/${family}-${cut}-wght-normal.woff2`] as [string],
    unicodeRange: [range] as [string],
    weight,
    style: "normal" as const,
  };
}

/**
 * A family of one script. A machine without a face for the script shows boxes, so the letters must arrive (`swap`),
 * however late; Latin is legible in any face and never moves (`optional`).
 */
function family(
  name: string,
  cssVariable: `--${string}`,
  folder: string,
  cut: keyof typeof RANGE,
  weight = "100 900",
) {
  return {
    provider: fontProviders.local(),
    name,
    cssVariable,
    display: "swap" as const,
    fallbacks: [],
    options: { variants: [face(folder, cut, RANGE[cut], weight)] as [ReturnType<typeof face>] },
  };
}

const SOURCE = "source-serif-4";

export const FONTS = [
  {
    provider: fontProviders.local(),
    name: "Source Serif 4",
    cssVariable: "--font-source" as const,
    display: "optional" as const,
    fallbacks: ["serif"],
    options: {
      variants: [
        face(SOURCE, "latin", RANGE.latin, "200 900"),
        face(SOURCE, "latin-ext", RANGE.latinExt, "200 900"),
        face(SOURCE, "cyrillic", RANGE.cyrillic, "200 900"),
      ] as [ReturnType<typeof face>, ...ReturnType<typeof face>[]],
    },
  },
  family("Noto Serif Hebrew", "--font-hebrew", "noto-serif-hebrew", "hebrew"),
  family("Noto Naskh Arabic", "--font-arabic", "noto-naskh-arabic", "arabic", "400 700"),
  family("Noto Serif Devanagari", "--font-devanagari", "noto-serif-devanagari", "devanagari"),
  family("Noto Serif Bengali", "--font-bengali", "noto-serif-bengali", "bengali"),
  family("Noto Serif Telugu", "--font-telugu", "noto-serif-telugu", "telugu"),
];
