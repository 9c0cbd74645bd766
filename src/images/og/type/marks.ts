/** The mark that opens a quote on an Open Graph image. */
import { quotationMarks } from "../../../contract/quotation-marks.ts";

/** Guillemets are as high as a letter; the other marks have the size of a comma. */
const GUILLEMET_SCALE = 0.62;

/**
 * @param tag BCP 47
 * @returns the mark, and its size as a share of the size that a comma-like mark has
 */
export function openingMark(tag: string): { readonly mark: string; readonly scale: number } {
  const mark = quotationMarks(tag)[0].trim();
  return { mark, scale: mark === "«" ? GUILLEMET_SCALE : 1 };
}
