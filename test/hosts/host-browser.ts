/** What a browser makes of the headers of a host. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";

/** What the browser complains of while a page does its work. */
export async function complaints(page: Page, work: () => Promise<void>): Promise<string[]> {
  const heard: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) heard.push(message.text());
  });
  page.on("pageerror", (error) => heard.push(String(error)));
  await work();
  return heard;
}

/** Whether a page of another origin can show the site in a frame. A page that is made up may not reach this machine. */
export async function framed(browser: Browser, url: string): Promise<boolean> {
  const elsewhere = createServer((_, response) => {
    response.writeHead(200, { "Content-Type": "text/html" }).end(`<iframe src="${url}"></iframe>`);
  }).listen(0, "127.0.0.1");
  await once(elsewhere, "listening");
  const { port } = elsewhere.address() as AddressInfo;
  const other = await browser.newPage();
  try {
    await other.goto(`http://localhost:${port}/`, { waitUntil: "networkidle" });
    const frame = other.frames().find((of) => of !== other.mainFrame());
    const text = await frame
      ?.locator("body")
      .innerText()
      .catch(() => "");
    return (text ?? "").includes("Commonplace");
  } finally {
    await other.close();
    elsewhere.close();
  }
}
