/**
 * What runs inside of the page that is looked at. Each function is sent there as text: it may use nothing from outside of
 * itself.
 */

/** A rectangle of the window, in CSS pixels. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface AttributionState {
  /** Why it cannot be seen or used; null where nothing was found so far. */
  readonly fault: string | null;
  /** Around its words. */
  readonly box: Box;
  /** Red, green, blue from 0 to 255, and how opaque from 0 to 1, all that it lies in taken into account. */
  readonly colour: readonly [number, number, number, number];
}

/** Brings the attribution into the middle of the window and says how it lies there. */
export function lookAtAttribution(): AttributionState {
  const nowhere = { x: 0, y: 0, width: 0, height: 0 };
  const unseen = (fault: string, box = nowhere): AttributionState => ({
    fault,
    box,
    colour: [0, 0, 0, 0],
  });
  const link = document.querySelector<HTMLElement>("footer [data-attribution]");
  if (link === null) return unseen("it is not there");
  link.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  const shown = { visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true };
  if (!link.checkVisibility(shown)) return unseen("it is not shown");
  const style = getComputedStyle(link);
  const words = document.createRange();
  words.selectNodeContents(link);
  const lines = [...words.getClientRects()].filter(({ width, height }) => width * height > 0);
  if (lines.length === 0) return unseen("its words take no room");
  const x = Math.min(...lines.map((line) => line.left));
  const y = Math.min(...lines.map((line) => line.top));
  const right = Math.max(...lines.map((line) => line.right));
  const bottom = Math.max(...lines.map((line) => line.bottom));
  const box = { x, y, width: right - x, height: bottom - y };
  if (x < -1 || y < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) {
    return unseen("it lies outside of the window", box);
  }
  const least = { font: 10, line: 8, width: 40 };
  const font = Number.parseFloat(style.fontSize);
  const tallest = Math.max(...lines.map((line) => line.height));
  if (font < least.font || tallest < least.line || box.width < least.width) {
    return unseen(
      `it is too small: ${font} px, ${Math.round(box.width)} by ${Math.round(tallest)}`,
      box,
    );
  }
  const covered = lines.find((line) => {
    const hit = document.elementFromPoint(line.left + line.width / 2, line.top + line.height / 2);
    return hit === null || !(link === hit || link.contains(hit));
  });
  if (covered !== undefined) return unseen("something lies over it, or cuts it off", box);
  let opacity = 1;
  for (let at: Element | null = link; at !== null; at = at.parentElement) {
    opacity *= Number.parseFloat(getComputedStyle(at).opacity);
  }
  const canvas = document.createElement("canvas");
  const paint = canvas.getContext("2d", { willReadFrequently: true });
  if (paint === null) return unseen("its colour cannot be read", box);
  // Colours are written in many ways; a painted pixel is always three numbers.
  paint.fillStyle = style.getPropertyValue("-webkit-text-fill-color");
  paint.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = paint.getImageData(0, 0, 1, 1).data;
  return { fault: null, box, colour: [red, green, blue, (alpha / 255) * opacity] };
}

/** Takes the words of the attribution away, and nothing that lies under or over them. */
export function blankAttribution(): void {
  const link = document.querySelector<HTMLElement>("footer [data-attribution]");
  if (link === null) return;
  for (const element of [link, ...link.querySelectorAll<HTMLElement>("*")]) {
    element.style.setProperty("transition", "none", "important");
    element.style.setProperty("color", "transparent", "important");
    element.style.setProperty("-webkit-text-fill-color", "transparent", "important");
    element.style.setProperty("text-decoration", "none", "important");
    element.style.setProperty("text-shadow", "none", "important");
  }
}

export interface Pixels {
  /** Contrast of the words' colour to what lies behind them, at its worst but for one pixel in fifty (WCAG 2.2). */
  readonly contrast: number;
  /** Share of the pixels that the words change so much that an eye sees it: at 3 to 1. */
  readonly inked: number;
}

/** Compares two pictures, PNG in base64: with the words, and without. */
export async function comparePixels(args: {
  readonly withWords: string;
  readonly without: string;
  readonly colour: readonly [number, number, number, number];
}): Promise<Pixels> {
  const pixelsOf = async (base64: string): Promise<Uint8ClampedArray> => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    const paint = canvas.getContext("2d");
    paint?.drawImage(image, 0, 0);
    return paint?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();
  };
  const linear = (part: number): number =>
    part <= 0.04045 * 255 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4;
  const luminance = (red: number, green: number, blue: number): number =>
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  const ratio = (one: number, other: number): number =>
    (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  const [before, after] = [await pixelsOf(args.withWords), await pixelsOf(args.without)];
  const [red, green, blue, alpha] = args.colour;
  const contrasts: number[] = [];
  let inked = 0;
  for (let at = 0; at < after.length; at += 4) {
    const [r = 0, g = 0, b = 0] = after.subarray(at, at + 3);
    const [shownRed = 0, shownGreen = 0, shownBlue = 0] = before.subarray(at, at + 3);
    const ground = luminance(r, g, b);
    const mix = (word: number, under: number): number => word * alpha + under * (1 - alpha);
    contrasts.push(ratio(luminance(mix(red, r), mix(green, g), mix(blue, b)), ground));
    if (ratio(luminance(shownRed, shownGreen, shownBlue), ground) >= 3) inked++;
  }
  contrasts.sort((a, b) => a - b);
  return {
    contrast: contrasts[Math.floor(contrasts.length / 50)] ?? 0,
    inked: inked / Math.max(1, contrasts.length),
  };
}
