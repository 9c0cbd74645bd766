/**
 * The browsers that Playwright drives. Chromium runs in every run of the tests; `TEST_BROWSERS=firefox-latest` adds what a reader
 * does in a current release of Firefox. Others have `driven.ts`.
 */
import { existsSync } from "node:fs";
import { type Browser, firefox } from "playwright-core";
import { inject, test } from "vitest";
import { launchBrowser } from "../../../src/commands/browser.ts";

export type BrowserName = "chromium" | "firefox";

declare module "vitest" {
  interface ProvidedContext {
    /** Of the project of vitest; Chromium where it names none. */
    readonly browser?: BrowserName;
  }
}

/** The browser of this run of a file. */
export const browserName = (): BrowserName => inject("browser") ?? "chromium";

/**
 * @param names of programs, the first that is installed
 * @throws when none is
 */
export function firefoxPath(names: readonly string[]): string {
  const chosen = process.env["FIREFOX_PATH"] ?? "";
  const path = [chosen, ...names.map((name) => `/usr/bin/${name}`)].find((one) => existsSync(one));
  if (path !== undefined) return path;
  throw new Error("Cannot start Firefox: install firefox-esr, or set FIREFOX_PATH");
}

/**
 * A test of what the driver can do in Chromium alone: emulate media features, turn scripts off, limit storage, and measure work and
 * movement.
 */
export const inChromium = test.skipIf(browserName() !== "chromium");

/** @returns the browser, for the caller to close */
export const launchNamed = (name: BrowserName): Promise<Browser> =>
  name === "firefox" ? launchFirefox() : launchBrowser();

/** Number of pages in it. A page that comes back from there never loads, which Playwright waits for. */
const BACK_FORWARD_CACHE = "browser.sessionhistory.max_total_viewers";

async function launchFirefox(): Promise<Browser> {
  // The channel makes Playwright speak WebDriver BiDi; otherwise it needs a Firefox of its own.
  const browser = await firefox.launch({
    executablePath: firefoxPath(["firefox", "firefox-esr"]),
    channel: "moz-firefox",
    firefoxUserPrefs: { [BACK_FORWARD_CACHE]: 0 },
  });
  mendDriver(browser);
  return browser;
}

interface Message {
  readonly id: number;
  readonly method?: string;
  readonly params?: { readonly url?: string };
}

interface Connection {
  rawSend: (message: Message) => void;
  _dispatchMessage: (message: object) => void;
  readonly _transport: { onmessage: (message: object) => void };
}

/**
 * Mends two faults between Playwright 1.65 and Firefox 153: Firefox does not know the command that emulates media features, with which
 * Playwright opens each page; and it names no navigation of a download, so that Playwright drops the event. The connection is private
 * to `playwright-core`.
 */
function mendDriver(browser: Browser): void {
  const { _connection } = browser as unknown as {
    _connection: { toImpl: (of: Browser) => { _browserSession: { connection: Connection } } };
  };
  const { connection } = _connection.toImpl(browser)._browserSession;
  const send = connection.rawSend.bind(connection);
  connection.rawSend = (message) => {
    if (message.method !== "emulation.setMediaFeaturesOverride") return send(message);
    queueMicrotask(() => {
      connection._dispatchMessage({ type: "success", id: message.id, result: {} });
    });
  };
  const { _transport: transport } = connection;
  const receive = transport.onmessage.bind(transport);
  transport.onmessage = (event) => {
    const { params, ...message } = event as Message;
    const isDownload = message.method?.startsWith("browsingContext.download") === true;
    receive({ ...message, params: isDownload ? { download: params?.url, ...params } : params });
  };
}
