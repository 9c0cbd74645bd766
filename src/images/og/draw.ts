/**
 * Draws an Open Graph image. Runs in a child process: Pango is given text of the service.
 *
 * The block of mark, words and byline is set optically: what counts is the ink, not the boxes of the fonts.
 */
import { OG_SIZES, type OgRequest, type OgShape, type OgTheme } from "../../contract/picture.ts";
import { quotationMarks } from "../../contract/text.ts";
import { block, pngOf, type Mask, type Print } from "./canvas.ts";
import { fitText, setLine } from "./fit.ts";
import { FACES, setText } from "./set.ts";

/** The measures of each shape of image, in pixels. */
const PLANS = {
  wide: {
    /** Left and right. */
    margin: 96,
    /** Where the room of the body begins, and how high it is. */
    top: 68,
    room: 410,
    /** Largest first. */
    quoteSizes: [76, 68, 60, 54, 48, 43, 39, 35, 32],
    titleSizes: [104, 92, 80, 70, 60, 52, 44],
    markSize: 150,
    openingGap: 36,
    bylineSize: 32,
    bylineGap: 34,
    ruleWidth: 72,
    ruleHeight: 6,
    /** From the lower edge to the foot's line. */
    foot: 60,
    footSize: 26,
    /** Of each of its two parts. */
    footWidth: 480,
  },
  square: {
    margin: 104,
    top: 112,
    room: 760,
    quoteSizes: [96, 86, 76, 68, 60, 54, 48, 43, 39, 35],
    titleSizes: [112, 100, 88, 76, 66, 56, 48],
    markSize: 190,
    openingGap: 48,
    bylineSize: 38,
    bylineGap: 44,
    ruleWidth: 88,
    ruleHeight: 7,
    foot: 88,
    footSize: 28,
    footWidth: 420,
  },
} as const satisfies Readonly<Record<OgShape, object>>;

/** A request for one shape, whose text can be set. */
export interface OgJob extends Pick<OgRequest, "style" | "text" | "byline" | "language"> {
  readonly shape: OgShape;
  readonly theme: OgTheme;
  /** Foot of the image: whose site it is, and whom it thanks; null for none. */
  readonly site: string | null;
  readonly attribution: string | null;
}

/**
 * From the top: mark or rule, words, byline, which together are in the middle of their room; then the foot.
 *
 * @returns the bytes of a PNG
 */
export async function drawOgImage(job: OgJob): Promise<Uint8Array> {
  const { shape, style, language, theme } = job;
  const plan = PLANS[shape];
  const size = OG_SIZES[shape];
  const prints: Print[] = [];
  const width = size.width - 2 * plan.margin;
  const base = { face: FACES[language.script], language };
  const opening = style === "quote" ? await markOf(job) : block(plan.ruleWidth, plan.ruleHeight);
  const byline =
    job.byline && (await setLine(job.byline, { ...base, size: plan.bylineSize }, width));
  const rest = opening.height + plan.openingGap + (byline ? plan.bylineGap + byline.height : 0);
  const fitted = await fitText(
    job.text,
    { ...base, bold: style === "title", strut: "end" },
    style === "title" ? plan.titleSizes : plan.quoteSizes,
    { width, height: plan.room - rest },
  );
  const words = await setText(fitted);
  let top = Math.round(plan.top + (plan.room - rest - words.height) / 2);
  print(opening, theme.accent, top);
  top += opening.height + plan.openingGap;
  print(words, theme.ink, top);
  top += words.height + plan.bylineGap;
  if (byline) print(byline, theme.muted, top);
  for (const { text, side, bold, colour } of [
    { text: job.site, side: "start", bold: true, colour: theme.ink },
    { text: job.attribution, side: "end", bold: false, colour: theme.muted },
  ] as const) {
    if (text === null) continue;
    // The strut goes to the side where the margin is not.
    const strut = (language.dir === "ltr") === (side === "start") ? "end" : "start";
    const line = await once(`${side} ${shape} ${strut} ${text}`, () =>
      setLine(text, { ...FOOT, size: plan.footSize, bold }, plan.footWidth, strut),
    );
    print(line, colour, size.height - plan.foot - line.height, side);
  }
  return pngOf(size, theme.paper, [theme.ink, theme.muted, theme.accent], prints);

  /** Prints at the side where lines of the language start, or at the other one. */
  function print(mask: Mask, ink: string, top: number, side: "start" | "end" = "start"): void {
    const onLeft = (language.dir === "ltr") === (side === "start");
    const left = onLeft ? plan.margin : size.width - plan.margin - mask.width;
    prints.push({ mask, ink, left, top });
  }
}

/** The foot is set in Latin letters, also below a quote in another script. */
const FOOT = { face: FACES.latin, language: { tag: "en", dir: "ltr" } } as const;

/** Guillemets are as high as a letter; the other marks have the size of a comma. */
const GUILLEMET_SCALE = 0.62;

async function markOf({ language, shape }: OgJob): Promise<Mask> {
  const text = quotationMarks(language.tag)[0].trim();
  const size = Math.round(PLANS[shape].markSize * (text === "«" ? GUILLEMET_SCALE : 1));
  const setting = { face: FACES.latin, language, size, bold: true };
  return once(`${language.tag} ${shape}`, () => setText({ ...setting, text, measure: size * 2 }));
}

const masks = new Map<string, Promise<Mask>>();

const MOST_MASKS = 200;

/** Marks and feet are the same on thousands of images. */
function once(key: string, set: () => Promise<Mask>): Promise<Mask> {
  const mask = masks.get(key) ?? set();
  if (masks.size < MOST_MASKS) masks.set(key, mask);
  return mask;
}
