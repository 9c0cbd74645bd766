/** Which browsers a run of the tests uses besides Chromium: those that the variable names. */
const VARIABLE = "TEST_BROWSERS";

/**
 * Firefox and WebKit have `test/e2e/other-browsers.test.ts`. `firefox-latest` has the tests of Chromium, which Playwright runs in a
 * current release of Firefox: an ESR lacks commands that it needs.
 */
export const OTHER_BROWSERS = ["firefox", "firefox-latest", "webkit"] as const;

export type OtherBrowser = (typeof OTHER_BROWSERS)[number];

const isOther = (name: string): name is OtherBrowser =>
  OTHER_BROWSERS.some((other) => other === name);

/** @param named names with commas between them */
export function otherBrowsers(named = process.env[VARIABLE] ?? ""): readonly OtherBrowser[] {
  return named
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "chromium")
    .map((name) => {
      if (isOther(name)) return name;
      const known = OTHER_BROWSERS.join(", ");
      throw new Error(`Cannot use ${VARIABLE}: no tests for "${name}", only for ${known}`);
    });
}
