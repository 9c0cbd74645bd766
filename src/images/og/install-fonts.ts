/** Installs the fonts for Pango, which uses no others: images look the same on all machines. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { create, type Font } from "fontkitten";
import fontverter from "fontverter";
import { escapeHtml } from "../../util/text.ts";
import { atomicWrite, makeFolder, onDisk } from "../../files/disk.ts";
import { getOrCompute } from "../../util/get-or-compute.ts";

/** Packages of `@fontsource-variable`: a variable WOFF2 file for each subset of a typeface. */
const PACKAGES = [
  "source-serif-4",
  "noto-naskh-arabic",
  "noto-serif-hebrew",
  "noto-serif-devanagari",
  "noto-serif-bengali",
  "noto-serif-telugu",
];

/**
 * Writes the fonts as TTF, since Pango reads no WOFF2, and a configuration of fontconfig with these fonts alone.
 *
 * @param folder absolute; kept between builds, with fontconfig's cache
 * @returns path of the configuration, for `FONTCONFIG_FILE`, and a function that says whether a font has a glyph for a
 *   character: Pango draws a missing one as a box and reports no error
 * @throws {DiskError} when the folder cannot be written
 */
export async function installFonts(folder: string) {
  makeFolder(folder);
  const fonts: Font[] = [];
  const { resolve } = createRequire(import.meta.url);
  const upright = PACKAGES.flatMap((name) => {
    const files = join(dirname(resolve(`@fontsource-variable/${name}/package.json`)), "files");
    const names = globSync("*-wght-normal.woff2", { cwd: files }).sort();
    return names.map((file) => join(files, file));
  });
  for (const file of upright) {
    const path = join(folder, basename(file).replace(/woff2$/, "ttf"));
    const ttf = await fontverter.convert(readFileSync(file), "truetype");
    // An unchanged file keeps its modification time, by which fontconfig caches it.
    const kept = existsSync(path) ? onDisk("read", path, () => readFileSync(path)) : null;
    if (kept?.equals(ttf) !== true) atomicWrite(path, ttf);
    fonts.push(create(ttf) as Font);
  }
  const settings = join(folder, "fonts.conf");
  atomicWrite(settings, fontsConf(folder));
  const known = new Map<string, boolean>();
  const hasGlyph = (character: string): boolean =>
    fonts.some((font) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0));
  return {
    settings,
    covers: (character: string) => getOrCompute(known, character, hasGlyph),
  };
}

/** @see https://fontconfig.pages.freedesktop.org/fontconfig/fontconfig-user.html */
function fontsConf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>${escapeHtml(folder)}</dir>
  <cachedir>${escapeHtml(join(folder, "cache"))}</cachedir>
  <match target="font">
    <edit name="antialias" mode="assign"><bool>true</bool></edit>
    <edit name="hinting" mode="assign"><bool>false</bool></edit>
    <edit name="rgba" mode="assign"><const>none</const></edit>
  </match>
</fontconfig>
`;
}
