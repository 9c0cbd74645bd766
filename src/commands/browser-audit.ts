/**
 * Opens one page of each kind in a browser, in every view, and checks that a reader can see and click the attribution.
 *
 * CSS can hide a link in more ways than a list of rules covers. So the words are removed, and the picture must change.
 */
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import type { Finding } from "../audit/finding.ts";
import { OWN_KIND } from "../audit/page/rules.ts";
import type { Settings } from "../settings/settings.ts";
import { openSiteAs } from "../site/index.ts";
import { expectedPages } from "./expected-pages.ts";
import { launchBrowser } from "./browser.ts";
import { serveSite } from "./serve-site.ts";

export interface View {
  readonly scheme: "light" | "dark";
  /** In CSS pixels. */
  readonly width: number;
  readonly scripts: boolean;
}

export const VIEWS: readonly View[] = (["light", "dark"] as const).flatMap((scheme) =>
  [320, 1280].flatMap((width) => [true, false].map((scripts) => ({ scheme, width, scripts }))),
);

/** In CSS pixels. Low on purpose: a footer that sticks to the window's edge must still leave room. */
const HEIGHT = 720;

/** WCAG 2.2, success criterion 1.4.3. */
const LEAST_CONTRAST = 4.5;

/** Share of the box. Words cover a tenth of their lines or more, so this excludes stray pixels. */
const LEAST_INK = 0.02;

/** A page that navigates meanwhile never gives a picture. */
const SCREENSHOT_TIMEOUT_MS = 5_000;

const MOST_LOOKS = 4;

/** Audits a page of each template of the finished site. A paid tier needs no attribution, so nothing is opened then. */
export async function auditOutputInBrowser(
  settings: Settings,
  showProgress: (line: string) => void,
): Promise<readonly Finding[]> {
  const { outDir, site, service } = settings;
  if (service.plan !== "free") return [];
  using reader = openSiteAs(settings);
  const samples = new Map<string, string>();
  for (const { kind, path } of expectedPages(reader, settings).pages()) {
    // A fork's own pages may each have a template of their own.
    const template = kind === OWN_KIND ? path : kind;
    if (!samples.has(template)) samples.set(template, path);
  }
  const paths = [...samples.values()];
  await using browser = await launchBrowser();
  return await auditInBrowser(browser, { outDir, base: site.base, paths, showProgress });
}

interface BrowserAudit {
  readonly outDir: string;
  readonly base: string;
  /** Addresses of the pages, without the base path. */
  readonly paths: readonly string[];
  /** Default: all of them. */
  readonly views?: readonly View[];
  readonly showProgress?: (line: string) => void;
}

export async function auditInBrowser(
  browser: Browser,
  { outDir, base, paths, views = VIEWS, showProgress }: BrowserAudit,
): Promise<Finding[]> {
  await using served = await serveSite({ outDir, base });
  const findings: Finding[] = [];
  for (const { scheme, width, scripts } of views) {
    const view = `${scheme}, ${width} px, ${scripts ? "with" : "without"} scripts`;
    showProgress?.(view);
    await using context = await browser.newContext({
      colorScheme: scheme,
      javaScriptEnabled: scripts,
      viewport: { width, height: HEIGHT },
      reducedMotion: "reduce",
      // What it keeps fills the page of kept pages while that is looked at.
      serviceWorkers: "block",
    });
    const page = await context.newPage();
    for (const path of paths) {
      await page.goto(served.url + path.slice(1));
      const detail = await settledFault(page);
      if (detail === null) continue;
      findings.push({ kind: "attribution", page: `${path} (${view})`, detail });
    }
  }
  return findings;
}

/**
 * The fault of the page that the address leads to once its scripts have run.
 *
 * A picture taken while a script navigates may show neither page, so a fault counts only when two looks agree.
 */
async function settledFault(page: Page): Promise<string | null> {
  let before: string | null = null;
  for (let look = 1; ; look++) {
    const address = page.url();
    const seen = await attributionFault(page).catch((error: unknown) => ({ error }));
    if (seen === null && page.url() === address) return null;
    if (look === MOST_LOOKS && typeof seen === "object" && seen !== null) throw seen.error;
    const fault = typeof seen === "string" ? seen : null;
    if (look === MOST_LOOKS || (fault !== null && fault === before)) return fault;
    before = fault;
    await page.waitForLoadState("networkidle");
    // The last look removed the words; the address may also be another one by now.
    await page.reload();
  }
}

/**
 * @param page open at the address to audit; its attribution is blanked
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
  const withWords = await pixels();
  await page.evaluate(blankAttribution);
  const { contrast, inked } = comparePixels(withWords, await pixels(), colour);
  if (contrast < LEAST_CONTRAST) {
    return `its contrast is ${contrast.toFixed(1)} to 1, and ${LEAST_CONTRAST} is the least`;
  }
  return inked < LEAST_INK ? "its words do not show" : null;
}

type Box = Readonly<Record<"x" | "y" | "width" | "height", number>>;
type Colour = readonly [red: number, green: number, blue: number, alpha: number];

// The next two functions are sent to the page as text: they may use nothing from outside of themselves.

/**
 * Brings the attribution into the middle of the window and says how it lies there.
 *
 * @returns why it cannot be seen or used, else around its words a box of the window in CSS pixels, and their colour: red,
 *   green, blue from 0 to 255, and how opaque from 0 to 1, all that it lies in taken into account
 */
function lookAtAttribution(): string | { box: Box; colour: Colour } {
  const link = document.querySelector<HTMLElement>("footer [data-attribution]");
  if (link === null) return "it is not there";
  link.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  const shown = { visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true };
  if (!link.checkVisibility(shown)) return "it is not shown";
  const style = getComputedStyle(link);
  const words = document.createRange();
  words.selectNodeContents(link);
  const lines = [...words.getClientRects()].filter(({ width, height }) => width * height > 0);
  if (lines.length === 0) return "its words take no room";
  const x = Math.min(...lines.map((line) => line.left));
  const y = Math.min(...lines.map((line) => line.top));
  const right = Math.max(...lines.map((line) => line.right));
  const bottom = Math.max(...lines.map((line) => line.bottom));
  const box = { x, y, width: right - x, height: bottom - y };
  if (x < -1 || y < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) {
    return "it lies outside of the window";
  }
  const least = { font: 10, line: 8, width: 40 };
  const font = Number.parseFloat(style.fontSize);
  const tallest = Math.max(...lines.map((line) => line.height));
  if (font < least.font || tallest < least.line || box.width < least.width) {
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
  // Colours are written in many ways; a painted pixel is always three numbers.
  paint.fillStyle = style.getPropertyValue("-webkit-text-fill-color");
  paint.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = paint.getImageData(0, 0, 1, 1).data;
  return { box, colour: [red, green, blue, (alpha / 255) * opacity] };
}

/** Takes the words of the attribution away, and nothing that lies under or over them. */
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
 * Compares a picture with the words with one without: red, green and blue of each pixel.
 *
 * @returns the contrast of the words' colour to what lies behind them, at its worst but for one pixel in fifty (WCAG 2.2);
 *   and the share of the pixels that the words change so much that an eye sees it: at 3 to 1
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
