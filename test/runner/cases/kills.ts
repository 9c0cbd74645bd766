/** Kills processes of a browser, as the system does that has no memory left. */
import type { Browser } from "playwright-core";

/** All of a type: a renderer may be one that the browser keeps ready for a page to come. */
export async function killProcesses(browser: Browser, type: string): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const ids = processInfo.filter((each) => each.type === type).map(({ id }) => id);
  if (ids.length === 0) throw new Error(`Cannot kill ${type}: the browser has no such process`);
  for (const id of ids) process.kill(id, "SIGKILL");
}

/** What a test waits for in vain. */
export const forEver = (): Promise<never> => new Promise<never>(() => undefined);
