/** The measures of each shape of image, in pixels. */
import type { OgShape } from "../../contract/picture.ts";

export interface Plan {
  /** Left and right. */
  readonly margin: number;
  /** Where the room of the body begins, and how high it is. */
  readonly top: number;
  readonly room: number;
  /** Largest first. */
  readonly quoteSizes: readonly number[];
  readonly titleSizes: readonly number[];
  readonly markSize: number;
  readonly openingGap: number;
  readonly bylineSize: number;
  readonly bylineGap: number;
  readonly ruleWidth: number;
  readonly ruleHeight: number;
  /** From the lower edge to the foot's line. */
  readonly foot: number;
  readonly footSize: number;
  /** Of each of its two parts. */
  readonly footWidth: number;
}

export const PLANS: Readonly<Record<OgShape, Plan>> = {
  wide: {
    margin: 96,
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
    foot: 60,
    footSize: 26,
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
};
