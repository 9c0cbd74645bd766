/**
 * Opens one page of each kind in a browser, in every view, and checks that a reader can see and click the attribution;
 * and weighs the typefaces that its text needs. A page declares many, and which of them it loads, only a browser knows.
 *
 * CSS can hide a link in more ways than a list of rules covers. So the text is removed, and the screenshot must change.
 */
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import type { Finding } from "./finding.ts";

export interface View {
  readonly scheme: "light" | "dark";
  /** CSS pixels. */
  readonly width: number;
  readonly scripts: boolean;
}

const VIEWS: readonly View[] = (["light", "dark"] as const).flatMap((scheme) =>
  [320, 1280].flatMap((width) => [true, false].map((scripts) => ({ scheme, width, scripts }))),
);

/** CSS pixels. Low on purpose: a sticky footer must still leave room. */
const HEIGHT = 720;

/** WCAG 2.2, success criterion 1.4.3. */
const MIN_CONTRAST = 4.5;

/** Share of the pixels. Text covers a tenth of its lines or more, so this excludes stray pixels. */
const MIN_INK = 0.02;

/** A screenshot of a page that navigates never ends. */
const SCREENSHOT_TIMEOUT_MS = 5_000;

const MAX_LOOKS = 4;

interface BrowserAudit {
  /** Address of the served site, with a slash at the end. */
  readonly url: string;
  /** Addresses of the pages, without the base path. */
  readonly paths: readonly string[];
  /** Default: all of them. */
  readonly views?: readonly View[];
  /** Most bytes of the typefaces that a page loads; a page without an entry is not weighed. */
  readonly fonts?: ReadonlyMap<string, number>;
  /** Whether each page needs an attribution; default yes. */
  readonly attribution?: boolean;
  readonly showProgress?: (line: string) => void;
}

export async function auditInBrowser(
  browser: Browser,
  { url, paths, views = VIEWS, fonts, attribution = true, showProgress }: BrowserAudit,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [path, most] of fonts ?? []) {
    const bytes = await weighTypefaces(browser, url + path.slice(1));
    const detail = `typefaces of its text: ${bytes} bytes, and ${most} are allowed`;
    if (bytes > most) findings.push({ kind: "too heavy", page: path, detail });
  }
  for (const { scheme, width, scripts } of attribution ? views : []) {
    const view = `${scheme}, ${width} px, ${scripts ? "with" : "without"} scripts`;
    showProgress?.(view);
    await using context = await browser.newContext({
      colorScheme: scheme,
      javaScriptEnabled: scripts,
      viewport: { width, height: HEIGHT },
      reducedMotion: "reduce",
      // It would add to the page of stored pages during the audit.
      serviceWorkers: "block",
    });
    const page = await context.newPage();
    for (const path of paths) {
      await page.goto(url + path.slice(1));
      const detail = await settledFault(page);
      if (detail === null) continue;
      findings.push({ kind: "attribution", page: `${path} (${view})`, detail });
    }
  }
  return findings;
}

/** @returns bytes of the typefaces that a first visit of a page loads, in a phone's width */
async function weighTypefaces(browser: Browser, address: string): Promise<number> {
  // What an earlier page left in the cache may be loaded although no text needs it.
  await using context = await browser.newContext({
    viewport: { width: 320, height: HEIGHT },
    serviceWorkers: "block",
  });
  const page = await context.newPage();
  const files: Promise<number>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() !== "font") return;
    const bytes = response.body().then(
      ({ length }) => length,
      () => 0,
    );
    files.push(bytes);
  });
  await page.goto(address, { waitUntil: "networkidle" });
  // A page that leaves shows those of another.
  if (page.url() !== address) return 0;
  return (await Promise.all(files)).reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * The fault of the page once its scripts have run, which may lead to another address.
 *
 * A screenshot during a navigation may show neither page, so a fault counts only when it is found twice in a row.
 */
async function settledFault(page: Page): Promise<string | null> {
  let before: string | null = null;
  for (let look = 1; ; look++) {
    const address = page.url();
    const seen = await attributionFault(page).catch((error: unknown) => ({ error }));
    if (seen === null && page.url() === address) return null;
    if (look === MAX_LOOKS && typeof seen === "object" && seen !== null) throw seen.error;
    const fault = typeof seen === "string" ? seen : null;
    if (look === MAX_LOOKS || (fault !== null && fault === before)) return fault;
    before = fault;
    await page.waitForLoadState("networkidle");
    // attributionFault() removed the text, and a script may have changed the address.
    await page.reload();
  }
}

/**
 * Makes the attribution of the open page transparent.
 *
 * @returns why a reader cannot see the attribution; null when they can
 */
async function attributionFault(page: Page): Promise<string | null> {
  const look = await page.evaluate(lookAtAttribution);
  if (typeof look === "string") return look;
  const { box, colour } = look;
  const pixels = async (): Promise<Uint8Array> => {
    const options = { clip: box, animations: "disabled", timeout: SCREENSHOT_TIMEOUT_MS } as const;
    return sharp(await page.screenshot(options))
      .removeAlpha()
      .raw()
      .toBuffer();
  };
  const withText = await pixels();
  await page.evaluate(blankAttribution);
  const { contrast, inked } = comparePixels(withText, await pixels(), colour);
  if (contrast < MIN_CONTRAST) {
    return `its contrast is ${contrast.toFixed(1)} to 1, and ${MIN_CONTRAST} is the least`;
  }
  return inked < MIN_INK ? "its text is not visible" : null;
}

type Box = Readonly<Record<"x" | "y" | "width" | "height", number>>;
type Colour = readonly [red: number, green: number, blue: number, alpha: number];

// The next two functions run in the page: they must not use anything of this module.

/**
 * Scrolls the attribution to the middle of the window.
 *
 * @returns why it cannot be seen or clicked; else the box of its text in CSS pixels, and its colour: red, green and blue from
 *   0 to 255, and alpha from 0 to 1, multiplied by the opacity of all ancestors
 */
function lookAtAttribution(): string | { box: Box; colour: Colour } {
  const link = document.querySelector<HTMLElement>("footer [data-attribution]");
  if (link === null) return "it is missing";
  link.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  const shown = { visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true };
  if (!link.checkVisibility(shown)) return "it is not shown";
  const style = getComputedStyle(link);
  const text = document.createRange();
  text.selectNodeContents(link);
  const lines = [...text.getClientRects()].filter(({ width, height }) => width * height > 0);
  if (lines.length === 0) return "its text has no size";
  const x = Math.min(...lines.map((line) => line.left));
  const y = Math.min(...lines.map((line) => line.top));
  const right = Math.max(...lines.map((line) => line.right));
  const bottom = Math.max(...lines.map((line) => line.bottom));
  const box = { x, y, width: right - x, height: bottom - y };
  if (x < -1 || y < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) {
    return "it lies outside of the window";
  }
  const min = { font: 10, line: 8, width: 40 };
  const font = Number.parseFloat(style.fontSize);
  const tallest = Math.max(...lines.map((line) => line.height));
  if (font < min.font || tallest < min.line || box.width < min.width) {
    return `it is too small: ${font} px, ${Math.round(box.width)} by ${Math.round(tallest)}`;
  }
  const covered = lines.find((line) => {
    const hit = document.elementFromPoint(line.left + line.width / 2, line.top + line.height / 2);
    return hit === null || !(link === hit || link.contains(hit));
  });
  if (covered !== undefined) return "something lies over it, or cuts it off";
  let opacity = 1;
  for (let at: Element | null = link; at !== null; at = at.parentElement) {
    opacity *= Number.parseFloat(getComputedStyle(at).opacity);
  }
  const canvas = document.createElement("canvas");
  const paint = canvas.getContext("2d", { willReadFrequently: true });
  if (paint === null) return "its colour cannot be read";
  // CSS has many notations for a colour; a painted pixel is always four numbers.
  paint.fillStyle = style.getPropertyValue("-webkit-text-fill-color");
  paint.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = paint.getImageData(0, 0, 1, 1).data;
  return { box, colour: [red, green, blue, (alpha / 255) * opacity] };
}

/** Makes the text of the attribution transparent, and nothing under or over it. */
function blankAttribution(): void {
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

/**
 * Compares two screenshots, with and without the text: red, green and blue of each pixel.
 *
 * @returns `contrast`: of the text's colour to the background, the second percentile of all pixels (WCAG 2.2); `inked`: the
 *   share of the pixels that the text changes visibly, by 3 to 1 or more
 */
function comparePixels(before: Uint8Array, after: Uint8Array, [red, green, blue, alpha]: Colour) {
  const linear = (part: number): number =>
    part <= 0.04045 * 255 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4;
  const luminance = (r: number, g: number, b: number): number =>
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const ratio = (one: number, other: number): number =>
    (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  const contrasts: number[] = [];
  let inked = 0;
  for (let at = 0; at < after.length; at += 3) {
    const [r = 0, g = 0, b = 0] = after.subarray(at, at + 3);
    const [shownRed = 0, shownGreen = 0, shownBlue = 0] = before.subarray(at, at + 3);
    const ground = luminance(r, g, b);
    const mix = (text: number, under: number): number => text * alpha + under * (1 - alpha);
    contrasts.push(ratio(luminance(mix(red, r), mix(green, g), mix(blue, b)), ground));
    if (ratio(luminance(shownRed, shownGreen, shownBlue), ground) >= 3) inked++;
  }
  contrasts.sort((a, b) => a - b);
  return {
    contrast: contrasts[Math.floor(contrasts.length / 50)] ?? 0,
    inked: inked / Math.max(1, contrasts.length),
  };
}
