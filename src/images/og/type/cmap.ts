/**
 * Reads which characters a TrueType font has a glyph for.
 *
 * Pango draws a box with a number in it where no font has one, and says nothing: so we ask before.
 *
 * @see OpenType, `cmap` (formats 4 and 12)
 */

/** A font covers first to last, both included. */
export type CodeRange = readonly [first: number, last: number];

/**
 * @param font the bytes of a TTF file
 * @throws {TypeError} when the file has no Unicode table of a known format
 */
export function readCoverage(font: Uint8Array): CodeRange[] {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength);
  const cmap = tableOffset(view, "cmap");
  const offsets = Array.from({ length: view.getUint16(cmap + 2) }, (_, at) => {
    return cmap + view.getUint32(cmap + 4 + at * 8 + 4);
  });
  const full = offsets.find((offset) => view.getUint16(offset) === 12);
  if (full !== undefined) return groups(view, full);
  const basic = offsets.find((offset) => view.getUint16(offset) === 4);
  if (basic !== undefined) return segments(view, basic);
  throw new TypeError("Cannot read font: it has no character map of format 4 or 12");
}

function tableOffset(view: DataView, tag: string): number {
  for (let at = 0; at < view.getUint16(4); at++) {
    const record = 12 + at * 16;
    const found = [0, 1, 2, 3].map((byte) => String.fromCharCode(view.getUint8(record + byte)));
    if (found.join("") === tag) return view.getUint32(record + 8);
  }
  throw new TypeError(`Cannot read font: it has no table ${tag}`);
}

/** Format 12: each group is a run of characters with glyphs in a row. */
function groups(view: DataView, table: number): CodeRange[] {
  return Array.from({ length: view.getUint32(table + 12) }, (_, at) => {
    const group = table + 16 + at * 12;
    return [view.getUint32(group), view.getUint32(group + 4)] as const;
  });
}

/** Format 4: the ends and the starts stand in two arrays; the last segment is the end mark. */
function segments(view: DataView, table: number): CodeRange[] {
  const doubled = view.getUint16(table + 6);
  const ranges: CodeRange[] = [];
  for (let at = 0; at < doubled; at += 2) {
    const last = view.getUint16(table + 14 + at);
    const first = view.getUint16(table + 16 + doubled + at);
    if (first !== 0xffff) ranges.push([first, last]);
  }
  return ranges;
}
