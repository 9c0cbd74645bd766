/**
 * Draws an Open Graph image. Runs in a child process, since Pango reads untrusted text.
 *
 * The position of the text depends on its visible pixels, not on the line boxes of the fonts.
 */
import { OG_SIZES, type OgRequest, type OgShape, type OgTheme } from "../../contract/picture.ts";
import { beginsWithMark, quotationMarks } from "../../contract/quotation-marks.ts";
import { block, pngOf, type Mask, type Print } from "./canvas.ts";
import { fitText, setLine } from "./fit.ts";
import { FACES, setText } from "./set.ts";

/** The layout of each shape, in pixels. */
const PLANS = {
  wide: {
    margin: 96,
    /** Top and height of the space for mark, text and byline. */
    top: 68,
    room: 410,
    quoteSizes: [76, 68, 60, 54, 48, 43, 39, 35, 32],
    titleSizes: [104, 92, 80, 70, 60, 52, 44],
    markSize: 150,
    openingGap: 36,
    bylineSize: 32,
    bylineGap: 34,
    ruleWidth: 72,
    ruleHeight: 6,
    /** From the lower edge of the image to the foot's line. */
    foot: 60,
    footSize: 26,
    /** Of each of its two texts. */
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

/** A request for one shape, whose text the fonts cover. */
export interface OgJob extends Pick<OgRequest, "style" | "text" | "byline" | "language"> {
  readonly shape: OgShape;
  readonly theme: OgTheme;
  /** Texts at the foot of the image; null for none. */
  readonly site: string | null;
  readonly attribution: string | null;
}

/**
 * Draws a quotation mark or a rule, the text and the byline, vertically centred, and the foot.
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
  // A text that begins with a mark of its own gets no second one.
  const isMarked = style === "title" || beginsWithMark(job.text);
  const hasMark = !isMarked && DRAWN.test(quotationMarks(language.tag)[0]);
  const opening = hasMark ? await markOf(job) : block(plan.ruleWidth, plan.ruleHeight);
  // A name has the direction of its first letter (U+2068), as on pages.
  const byline =
    job.byline &&
    (await setLine(`\u2068${job.byline}\u2069`, { ...base, size: plan.bylineSize }, width));
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
    // The strut takes room, so it is on the side away from the margin.
    const strut = (language.dir === "ltr") === (side === "start") ? "end" : "start";
    const line = await memoised(`${side} ${shape} ${strut} ${text}`, () =>
      setLine(text, { ...FOOT, size: plan.footSize, bold }, plan.footWidth, strut),
    );
    print(line, colour, size.height - plan.foot - line.height, side);
  }
  return pngOf(size, theme.paper, [theme.ink, theme.muted, theme.accent], prints);

  /** @param side where lines of the language start, or where they end */
  function print(mask: Mask, ink: string, top: number, side: "start" | "end" = "start"): void {
    const onLeft = (language.dir === "ltr") === (side === "start");
    const left = onLeft ? plan.margin : size.width - plan.margin - mask.width;
    prints.push({ mask, ink, left, top });
  }
}

/** Marks and feet, a few for each language and shape: drawing them again would take a fifth of the time of an image. */
const masks = new Map<string, Promise<Mask>>();

/** A service may name any number of languages. */
const MOST_MASKS = 200;

function memoised(key: string, draw: () => Promise<Mask>): Promise<Mask> {
  const mask = masks.get(key) ?? draw();
  if (masks.size < MOST_MASKS) masks.set(key, mask);
  return mask;
}

/** The foot has Latin letters, also below a quote in another script. */
const FOOT = { face: FACES.latin, language: { tag: "en", dir: "ltr" } } as const;

/** Marks that the typeface has: a Latin text in Japanese gets a rule. */
const DRAWN = /[“”„‘«»]/;

/** Guillemets are as high as a letter; other quotation marks have the size of a comma. */
const GUILLEMET_SCALE = 0.62;

async function markOf({ language, shape }: OgJob): Promise<Mask> {
  const text = quotationMarks(language.tag)[0].trim();
  const size = Math.round(PLANS[shape].markSize * (/[«»]/.test(text) ? GUILLEMET_SCALE : 1));
  const setting = { face: FACES.latin, language, size, bold: true };
  return memoised(`${language.tag} ${shape}`, () =>
    setText({ ...setting, text, measure: size * 2 }),
  );
}
