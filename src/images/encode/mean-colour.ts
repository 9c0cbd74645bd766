/** The colour a picture has from afar. */

/** Pixels in rows, 8 bits a channel. */
export interface Flat {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** 1 and 2 are grey, 2 and 4 end in alpha. */
  readonly channels: 1 | 2 | 3 | 4;
}

/** @returns `#rrggbb`; null when a pixel is see-through, since the colour would shine through it for good */
export function meanColour({ data, channels }: Flat): string | null {
  const colours = channels < 3 ? 1 : 3;
  const sums = [0, 0, 0];
  for (let at = 0; at < data.length; at += channels) {
    if (colours < channels && (data[at + colours] ?? 0) < 255) return null;
    for (let channel = 0; channel < colours; channel++) {
      sums[channel] = (sums[channel] ?? 0) + (data[at + channel] ?? 0);
    }
  }
  const pixels = data.length / channels;
  const [red = 0, green = red, blue = red] = sums.slice(0, colours);
  return `#${[red, green, blue].map((sum) => hex(sum / pixels)).join("")}`;
}

function hex(value: number): string {
  return Math.round(value).toString(16).padStart(2, "0");
}
