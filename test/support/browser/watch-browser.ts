/** Reports when a browser, one of its pages or one of its services dies, while the tests of a file use it. */
import type { Browser } from "playwright-core";
import { addProbe, reportDeath } from "../run/deaths.ts";
import { WAIT_MS } from "../vitest/limits.ts";

/** Services without which a page waits for ever; the browser starts them anew, and says nothing. */
const SERVICES: Readonly<Record<string, string>> = {
  GPU: "the GPU process",
  "network.mojom.NetworkService": "the network service",
};

/** Between two looks at the services, in milliseconds. */
const LOOK_MS = 1_000;

interface Watched {
  isUsed: boolean;
  isDead: boolean;
  stop: () => void;
}

const watched = new WeakMap<Browser, Watched>();

export const isAlive = (browser: Browser): boolean =>
  browser.isConnected() && watched.get(browser)?.isDead !== true;

/** For the file that begins. */
export function watchBrowser(browser: Browser): Browser {
  const state = watched.get(browser) ?? begin(browser);
  state.isUsed = true;
  return browser;
}

/** After the file: a death is then no test's. */
export function ignoreBrowser(browser: Browser): void {
  const state = watched.get(browser);
  if (state !== undefined) state.isUsed = false;
}

function begin(browser: Browser): Watched {
  const state: Watched = { isUsed: true, isDead: false, stop: () => undefined };
  watched.set(browser, state);
  const die = (what: string): void => {
    if (state.isDead) return;
    state.isDead = true;
    state.stop();
    if (state.isUsed) reportDeath(what);
    // The rest of it must not be the browser of another file. One that does not end is ended with the run.
    void browser.close().catch(() => undefined);
  };
  browser.on("disconnected", () => die("the browser ended (disconnected)"));
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(WAIT_MS);
    context.on("page", (page) => page.on("crash", (at) => die(`the page ${at.url()} (crash)`)));
    return context;
  };
  state.stop = watchServices(browser, die);
  return state;
}

/** @returns what ends the watch */
function watchServices(browser: Browser, die: (what: string) => void): () => void {
  // Only Chromium says which processes it has.
  if (browser.browserType().name() !== "chromium") return () => undefined;
  const known = new Map<string, number>();
  const session = browser.newBrowserCDPSession();
  session.catch(() => undefined);
  const look = async (): Promise<void> => {
    const { processInfo } = await (await session).send("SystemInfo.getProcessInfo");
    for (const [type, name] of Object.entries(SERVICES)) {
      const now = processInfo.find((each) => each.type === type)?.id;
      const before = known.get(type);
      if (now !== undefined) known.set(type, now);
      if (before !== undefined && now !== before) die(`${name}, process ${before}`);
    }
  };
  const removeProbe = addProbe(look);
  // One that cannot answer has ended, which is reported elsewhere.
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS).unref();
  void look().catch(() => undefined);
  return () => {
    clearInterval(timer);
    removeProbe();
  };
}
