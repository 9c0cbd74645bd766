/** What a browser makes of the headers of a host. */
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

/** Whether a page of another origin can show the site in a frame. */
export async function framed(browser: Browser, url: string): Promise<boolean> {
  const other = await browser.newPage();
  await other.route("https://elsewhere.example/", (route) =>
    route.fulfill({ contentType: "text/html", body: `<iframe src="${url}"></iframe>` }),
  );
  await other.goto("https://elsewhere.example/", { waitUntil: "networkidle" });
  const frame = other.frames().find((of) => of !== other.mainFrame());
  const text = await frame
    ?.locator("body")
    .innerText()
    .catch(() => "");
  await other.close();
  return (text ?? "").includes("Commonplace");
}
