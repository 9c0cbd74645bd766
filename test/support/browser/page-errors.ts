/** Errors that nothing on a page caught. */
import type { Page } from "playwright-core";

/** Chromium's own, where a reader leaves a page before it was drawn: no code of the page hears of it. */
const OF_TRANSITIONS = /^Transition was (?:aborted|skipped)/;

/** @returns the messages, which grow while the page is used */
export function pageErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => {
    if (!OF_TRANSITIONS.test(message)) errors.push(message);
  });
  return errors;
}
