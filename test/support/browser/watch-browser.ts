/** Reports when a browser, one of its pages or one of its services dies, while the tests of a file use it. */
import { setTimeout as sleep } from "node:timers/promises";
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

/** The longest wait for the services of a browser that begins; one of them may stay away. */
const START_MS = 5_000;

interface Watched {
  isUsed: boolean;
  isDead: boolean;
  services: Services;
}

interface Services {
  /** Once all of them were seen: the death of one that was never seen cannot be noticed. */
  readonly seen: Promise<unknown>;
  readonly stop: () => void;
}

const watched = new WeakMap<Browser, Watched>();

export const isAlive = (browser: Browser): boolean =>
  browser.isConnected() && watched.get(browser)?.isDead !== true;

/** For the file that begins. */
export async function watchBrowser(browser: Browser): Promise<Browser> {
  const state = watched.get(browser) ?? begin(browser);
  state.isUsed = true;
  await state.services.seen;
  return browser;
}

/** After the file: a death is then no test's. */
export function ignoreBrowser(browser: Browser): void {
  const state = watched.get(browser);
  if (state !== undefined) state.isUsed = false;
}

function begin(browser: Browser): Watched {
  const die = (what: string): void => {
    if (state.isDead) return;
    state.isDead = true;
    state.services.stop();
    if (state.isUsed) reportDeath(what);
    // The rest of it must not be the browser of another file. One that does not end is ended with the run.
    void browser.close().catch(() => undefined);
  };
  const state: Watched = { isUsed: true, isDead: false, services: watchServices(browser, die) };
  watched.set(browser, state);
  browser.on("disconnected", () => die("the browser ended (disconnected)"));
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(WAIT_MS);
    context.on("page", (page) => page.on("crash", (at) => die(`the page ${at.url()} (crash)`)));
    return context;
  };
  return state;
}

function watchServices(browser: Browser, die: (what: string) => void): Services {
  // Only Chromium says which processes it has.
  if (browser.browserType().name() !== "chromium")
    return { seen: Promise.resolve(), stop: () => undefined };
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
  const lookOnce = (): Promise<void> => look().catch(() => undefined);
  const timer = setInterval(() => void lookOnce(), LOOK_MS).unref();
  const lookForAll = async (): Promise<void> => {
    const end = Date.now() + START_MS;
    while (known.size < Object.keys(SERVICES).length && Date.now() < end) {
      await lookOnce();
      await sleep(START_MS / 100);
    }
  };
  return {
    seen: lookForAll(),
    stop: () => {
      clearInterval(timer);
      removeProbe();
    },
  };
}
