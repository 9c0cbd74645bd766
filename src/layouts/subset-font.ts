/**
 * Subsets a typeface to the glyphs of some words, in one weight, with HarfBuzz as WebAssembly.
 *
 * The words are shaped first: a subset by characters has every ligature that they could form, and is five times as large
 * for an Indic script.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import fontverter from "fontverter";
import { Blob, Buffer as Line, BufferContentType, Face, Font, shape, Variation } from "harfbuzzjs";

/** The functions used of HarfBuzz's C interface; a number is a pointer or a handle. */
interface Subsetter {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  malloc(bytes: number): number;
  hb_blob_create(data: number, length: number, mode: number, user: 0, destroy: 0): number;
  hb_blob_get_data(blob: number, length: 0): number;
  hb_blob_get_length(blob: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_reference_blob(face: number): number;
  hb_set_add(set: number, value: number): void;
  hb_set_clear(set: number): void;
  hb_set_invert(set: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_glyph_set(input: number): number;
  hb_subset_input_pin_axis_location(input: number, face: number, tag: number, at: number): number;
  hb_subset_input_set(input: number, which: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_input_unicode_set(input: number): number;
  hb_subset_or_fail(face: number, input: number): number;
}

const MODE_WRITABLE = 2;
const SET_LAYOUT_FEATURES = 6;
const FLAG_NO_LAYOUT_CLOSURE = 0x200;
const WGHT = 0x77676874;

let loaded: Promise<Subsetter> | undefined;

/** Its memory is not freed: a build makes few subsets. */
async function load(): Promise<Subsetter> {
  const path = createRequire(import.meta.url).resolve("harfbuzzjs/dist/harfbuzz-subset.wasm");
  const { instance } = await WebAssembly.instantiate(readFileSync(path));
  const subsetter = instance.exports as unknown as Subsetter;
  subsetter._initialize();
  return subsetter;
}

/**
 * @param woff2 a typeface with a weight axis
 * @param words the only words that the result can show correctly
 * @param letters the characters of the words that the typeface has
 * @returns WOFF2
 */
export async function subsetFont(
  woff2: Buffer,
  words: readonly string[],
  letters: string,
  weight: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const hb = await (loaded ??= load());
  const font = new Uint8Array(await fontverter.convert(woff2, "truetype"));
  const data = hb.malloc(font.length);
  new Uint8Array(hb.memory.buffer).set(font, data);
  const blob = hb.hb_blob_create(data, font.length, MODE_WRITABLE, 0, 0);
  const face = hb.hb_face_create(blob, 0);
  const input = hb.hb_subset_input_create_or_fail();
  const features = hb.hb_subset_input_set(input, SET_LAYOUT_FEATURES);
  hb.hb_set_clear(features);
  hb.hb_set_invert(features);
  hb.hb_subset_input_set_flags(input, FLAG_NO_LAYOUT_CLOSURE);
  hb.hb_subset_input_pin_axis_location(input, face, WGHT, weight);
  const characters = hb.hb_subset_input_unicode_set(input);
  for (const letter of letters) hb.hb_set_add(characters, letter.codePointAt(0) ?? 0);
  const glyphs = hb.hb_subset_input_glyph_set(input);
  for (const glyph of glyphsOf(font, words, weight)) hb.hb_set_add(glyphs, glyph);
  const subset = hb.hb_subset_or_fail(face, input);
  if (subset === 0) throw new Error(`Cannot cut a typeface to ${letters}: HarfBuzz refuses`);
  const result = hb.hb_face_reference_blob(subset);
  const from = hb.hb_blob_get_data(result, 0);
  const cut = Buffer.from(hb.memory.buffer).subarray(from, from + hb.hb_blob_get_length(result));
  return new Uint8Array(await fontverter.convert(Buffer.from(cut), "woff2"));
}

/** All glyphs of the words, and intermediate ones: a ligature is often made of ligatures. */
function glyphsOf(bytes: Uint8Array<ArrayBuffer>, words: readonly string[], weight: number) {
  const font = new Font(new Face(new Blob(bytes.buffer)));
  font.setVariations([new Variation("wght", weight)]);
  const glyphs = new Set<number>();
  const take = (line: Line): boolean => {
    if (line.getContentType() !== BufferContentType.GLYPHS) return true;
    for (const { codepoint } of line.getGlyphInfos()) glyphs.add(codepoint);
    return true;
  };
  for (const word of words) {
    const line = new Line();
    line.addText(word);
    line.guessSegmentProperties();
    line.setMessageFunc(take);
    shape(font, line);
    take(line);
  }
  return glyphs;
}
