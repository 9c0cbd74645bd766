/** Soft abstract pictures, computed: a gradient with a few glows in it. The same seed paints the same pixels. */
import { fraction } from "../../contract/hash.ts";

export interface Painting {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue, a byte each, row by row. */
  readonly pixels: Uint8Array;
}

type Colour = readonly [red: number, green: number, blue: number];

interface Glow {
  readonly x: number;
  readonly y: number;
  /** Of the picture's height. */
  readonly radius: number;
  readonly colour: Colour;
}

/** How far two neighbouring seeds stand apart on the colour wheel: the golden angle never comes round. */
const GOLDEN_ANGLE = 137.508;

export function paint(seed: number, width: number, height: number): Painting {
  const chance = (what: string): number => fraction(`${what} of tile ${seed}`);
  const hue = seed * GOLDEN_ANGLE;
  const from = colour(hue, 0.42, 0.86);
  const to = colour(hue + 35, 0.45, 0.46);
  const slope = chance("slope") * Math.PI * 0.5;
  const glows = [0, 1, 2, 3].map((n): Glow => ({
    x: chance(`x ${n}`) * (width / height),
    y: chance(`y ${n}`),
    radius: 0.25 + chance(`radius ${n}`) * 0.4,
    colour: colour(hue + (n % 2 === 0 ? -50 : 75) * chance(`hue ${n}`), 0.6, 0.55 + 0.1 * n),
  }));
  const pixels = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const x = column / height;
      const y = row / height;
      const along = (x * Math.cos(slope) + y * Math.sin(slope)) / (width / height + 1);
      let pixel = mix(from, to, Math.min(1, along * 1.4));
      for (const glow of glows) {
        const distance = ((x - glow.x) ** 2 + (y - glow.y) ** 2) / glow.radius ** 2;
        pixel = mix(pixel, glow.colour, 0.75 * Math.exp(-distance * 2.5));
      }
      pixels.set(pixel.map(Math.round), (row * width + column) * 3);
    }
  }
  return { width, height, pixels };
}

function mix(a: Colour, b: Colour, share: number): Colour {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}

/** HSL to RGB; hue in degrees, the others from 0 to 1. */
function colour(hue: number, saturation: number, lightness: number): Colour {
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const k = (offset + (((hue % 360) + 360) % 360) / 30) % 12;
    return 255 * (lightness - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}
