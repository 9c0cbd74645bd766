/** Kills a process of a browser, as the system does that has no memory left. */
import type { Browser } from "playwright-core";

export async function killProcess(browser: Browser, type: string): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const { id } = processInfo.findLast((each) => each.type === type) ?? {};
  if (id === undefined) throw new Error(`Cannot kill ${type}: the browser has no such process`);
  process.kill(id, "SIGKILL");
}

/** What a test waits for in vain. */
export const forEver = (): Promise<never> => new Promise<never>(() => undefined);
