/**
 * The typefaces of the cards: one family a script, all cut for text and related in weight.
 *
 * Pango is given these files alone, so a card looks the same on a machine full of fonts and on one without any.
 */
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { escapeHtml } from "../../contract/escape.ts";
import type { Script } from "../../contract/languages.ts";

export interface Face {
  /** Families in the order in which Pango looks for a character. */
  readonly families: readonly string[];
  /** Distance of the lines, as a share of what the font asks for: display sizes want less air than text. */
  readonly leading: number;
  /** Size, as a share of Latin's: scripts with small bodies are set larger to look alike. */
  readonly scale: number;
}

const LATIN: Face = { families: ["Source Serif 4"], leading: 0.88, scale: 1 };

/** `other` stands for scripts without a face here, some of which Source Serif covers, such as Greek. */
const FACES: Readonly<Record<Script, Face>> = {
  latin: LATIN,
  cyrillic: LATIN,
  other: LATIN,
  // The Latin letters of this Naskh have no serifs, so those of Source Serif come first.
  arabic: { families: ["Source Serif 4", "Noto Naskh Arabic"], leading: 0.92, scale: 1.12 },
  hebrew: { families: ["Noto Serif Hebrew"], leading: 1.06, scale: 0.96 },
  devanagari: { families: ["Noto Serif Devanagari"], leading: 0.9, scale: 1 },
  bengali: { families: ["Noto Serif Bengali"], leading: 0.9, scale: 1.04 },
  telugu: { families: ["Noto Serif Telugu"], leading: 1.06, scale: 0.96 },
};

export function faceOf(script: Script): Face {
  return FACES[script];
}

/** A face's own families, then every other one: Pango looks for a missing character along this list. */
export function familiesFrom(face: Face): string {
  const all = Object.values(FACES).flatMap(({ families }) => families);
  return [...new Set([...face.families, ...all])].join(",");
}

const FILES = [
  "source-serif-4/400Regular/SourceSerif4_400Regular.ttf",
  "source-serif-4/400Regular_Italic/SourceSerif4_400Regular_Italic.ttf",
  "source-serif-4/600SemiBold/SourceSerif4_600SemiBold.ttf",
  "noto-naskh-arabic/400Regular/NotoNaskhArabic_400Regular.ttf",
  "noto-naskh-arabic/600SemiBold/NotoNaskhArabic_600SemiBold.ttf",
  "noto-serif-hebrew/400Regular/NotoSerifHebrew_400Regular.ttf",
  "noto-serif-hebrew/600SemiBold/NotoSerifHebrew_600SemiBold.ttf",
  "noto-serif-devanagari/400Regular/NotoSerifDevanagari_400Regular.ttf",
  "noto-serif-devanagari/600SemiBold/NotoSerifDevanagari_600SemiBold.ttf",
  "noto-serif-bengali/400Regular/NotoSerifBengali_400Regular.ttf",
  "noto-serif-bengali/600SemiBold/NotoSerifBengali_600SemiBold.ttf",
  "noto-serif-telugu/400Regular/NotoSerifTelugu_400Regular.ttf",
  "noto-serif-telugu/600SemiBold/NotoSerifTelugu_600SemiBold.ttf",
];

/** Paths of the TTF files on this machine. */
export function fontFiles(): string[] {
  const { resolve } = createRequire(import.meta.url);
  return FILES.map((file) => resolve(`@expo-google-fonts/${file}`));
}

/**
 * The settings of fontconfig: these fonts and no others. It reads them once, when a process first sets text.
 *
 * @param cacheDir where fontconfig may keep what it learns of the files
 * @returns the text of a `fonts.conf`
 * @see https://fontconfig.pages.freedesktop.org/fontconfig/fontconfig-user.html
 */
export function fontsConf(cacheDir: string): string {
  const folders = [...new Set(fontFiles().map((file) => dirname(file)))];
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
${folders.map((folder) => `  <dir>${escapeHtml(folder)}</dir>`).join("\n")}
  <cachedir>${escapeHtml(cacheDir)}</cachedir>
  <match target="font">
    <edit name="antialias" mode="assign"><bool>true</bool></edit>
    <edit name="hinting" mode="assign"><bool>false</bool></edit>
    <edit name="rgba" mode="assign"><const>none</const></edit>
  </match>
</fontconfig>
`;
}
