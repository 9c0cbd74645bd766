/**
 * A sheet of paper: one colour, with ink on it. Doing this by hand takes a tenth of the time of a general compositor, and
 * a card has four colours.
 */

/** Pixels. */
export interface Space {
  readonly width: number;
  readonly height: number;
}

/** Where ink goes and how much of it: one byte a pixel, 0 for none. */
export interface Mask extends Space {
  readonly ink: Uint8Array;
}

type Colour = readonly [red: number, green: number, blue: number];

/** @param hex `#rrggbb` */
export function readColour(hex: string): Colour {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

export class Canvas {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue for each pixel, in rows. */
  readonly pixels: Uint8Array;

  constructor({ width, height }: Space, paper: Colour) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(width * height * 3);
    for (let at = 0; at < this.pixels.length; at += 3) this.pixels.set(paper, at);
  }

  /** Prints a mask in a colour; what falls off the sheet is not printed. */
  print(mask: Mask, colour: Colour, left: number, top: number): void {
    const [firstX, lastX] = [Math.max(0, -left), Math.min(mask.width, this.width - left)];
    const [firstY, lastY] = [Math.max(0, -top), Math.min(mask.height, this.height - top)];
    for (let y = firstY; y < lastY; y++) {
      for (let x = firstX; x < lastX; x++) {
        const ink = mask.ink[y * mask.width + x] ?? 0;
        if (ink !== 0) this.#dye(((top + y) * this.width + left + x) * 3, ink, colour);
      }
    }
  }

  #dye(at: number, ink: number, colour: Colour): void {
    for (let channel = 0; channel < 3; channel++) {
      const paper = this.pixels[at + channel] ?? 0;
      const full = colour[channel] ?? 0;
      this.pixels[at + channel] = paper + Math.round(((full - paper) * ink) / 255);
    }
  }
}

/** A filled rectangle. */
export function block(width: number, height: number): Mask {
  return { width, height, ink: new Uint8Array(width * height).fill(255) };
}
