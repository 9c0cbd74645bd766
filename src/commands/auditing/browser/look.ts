/**
 * Whether the attribution of a page can be seen, as a browser draws it: rules of style can hide a link in more ways than
 * anybody can list, so the words are taken away and the picture must change.
 */
import type { Page } from "playwright-core";
import { blankAttribution, comparePixels, lookAtAttribution } from "./in-page.ts";

/** WCAG 2.2, success criterion 1.4.3. */
const LEAST_CONTRAST = 4.5;

/** Of a page that leaves in the middle of it there is never a picture. */
const PICTURE_MS = 5_000;

/** Words cover a tenth of their lines or more; a few stray pixels are none. */
const LEAST_INK = 0.02;

/**
 * @param page open at the address that is judged; it is changed
 * @param blank a page of nobody, to look at pictures in: the site's own policy forbids them
 * @returns why it cannot be seen; null when it can
 */
export async function faultOfAttribution(page: Page, blank: Page): Promise<string | null> {
  const { fault, box, colour } = await page.evaluate(lookAtAttribution);
  if (fault !== null) return fault;
  const picture = async (): Promise<string> =>
    (await page.screenshot({ clip: box, animations: "disabled", timeout: PICTURE_MS })).toString(
      "base64",
    );
  const withWords = await picture();
  await page.evaluate(blankAttribution);
  const without = await picture();
  const { contrast, inked } = await blank.evaluate(comparePixels, { withWords, without, colour });
  if (contrast < LEAST_CONTRAST) {
    return `its contrast is ${contrast.toFixed(1)} to 1, and ${LEAST_CONTRAST} is the least`;
  }
  return inked < LEAST_INK ? "its words do not show" : null;
}
