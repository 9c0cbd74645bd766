/**
 * Pages of the browsers that Playwright does not drive as they are: Firefox, also an ESR, and WebKitGTK. The tests of
 * `test/e2e/other-browsers.test.ts` run in both.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";
import { WAIT_MS } from "../vitest/limits.ts";
import { startFirefox } from "./bidi.ts";
import { startWebkit } from "./webdriver.ts";

export type DrivenName = "firefox" | "webkit";

declare module "vitest" {
  interface ProvidedContext {
    /** Of the project of vitest. */
    readonly driven?: DrivenName;
  }
}

export const KEYS = { enter: "\uE007", down: "\uE015", escape: "\uE00C", tab: "\uE004" } as const;

/** What a driver of a browser can do with a page; an element is there, seen and enabled. */
export interface Driver {
  open(url: string): Promise<void>;
  back(): Promise<void>;
  /** Brings the element into view and clicks it, as a reader does. */
  click(selector: string): Promise<void>;
  /** Gives the focus to an element. */
  focus(selector: string): Promise<void>;
  /** Presses keys where the focus is. */
  press(keys: string): Promise<void>;
  /** Sets the width of what the page has, in CSS pixels. */
  setWidth(width: number): Promise<void>;
  /** Calls a function of the page, as text, with a value as JSON. @returns the value that it returns or resolves to, as JSON */
  call(run: string, json: string): Promise<string>;
  close(): Promise<void>;
}

export type DrivenPage = ReturnType<typeof pageOf>;

/** Starts the browser of this project, which ends after the file. @returns what opens a page without a past */
export async function startDriven(): Promise<() => Promise<DrivenPage>> {
  const open = await (inject("driven") === "webkit" ? startWebkit() : startFirefox());
  return async () => pageOf(await open());
}

function pageOf(driver: Driver) {
  /** Runs the function in the page. It gets its argument as JSON, may be asynchronous, and returns what JSON can hold. */
  const evaluate = async <Result, Argument = null>(
    run: (argument: Argument) => Result | Promise<Result>,
    argument?: Argument,
  ): Promise<Result> =>
    JSON.parse(await driver.call(run.toString(), JSON.stringify(argument ?? null))) as Result;
  /** Waits for an element that a reader can use. */
  const usable = async (selector: string): Promise<string> => {
    for (const end = Date.now() + WAIT_MS; ; await sleep(50)) {
      const isUsable = await evaluate((asked) => {
        const element = document.querySelector(asked);
        return element?.checkVisibility() === true && !element.matches(":disabled");
      }, selector).catch(() => false);
      if (isUsable) return selector;
      if (Date.now() > end) throw new Error(`Cannot use ${selector}: it is not there, or off`);
    }
  };
  return {
    evaluate,
    open: (url: string) => driver.open(url),
    back: () => driver.back(),
    setWidth: (width: number) => driver.setWidth(width),
    press: (keys: string) => driver.press(keys),
    click: async (selector: string) => driver.click(await usable(selector)),
    type: async (selector: string, text: string) => {
      await driver.focus(await usable(selector));
      await driver.press(text);
    },
    /** Of the first such element; null where there is none. */
    text: (selector: string) =>
      evaluate((asked) => document.querySelector(asked)?.textContent.trim() ?? null, selector),
    close: () => driver.close(),
  };
}
