/** A browser, and pages of a built site open in it. */
export * from "./axe.ts";
export * from "./browser.ts";
export * from "./find-reader.ts";
export { browserName, inChromium } from "./named-browsers.ts";
export * from "./page-errors.ts";
export * from "./read-site.ts";
export * from "./searched-site.ts";
export * from "./vote-reader.ts";
