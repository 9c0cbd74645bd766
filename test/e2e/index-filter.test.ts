/** The field above a long index, in a real browser: what it finds, what it asks for, and who does not see it. */
// @module-tag long
import { expect, test } from "vitest";
import { axeFaults, readSite } from "../support/browser/index.ts";

const NAMES = ["O’Brien", "O'Neill", "Östberg", "Oσίρις", "Obama & Sons"];
const quotes = Array.from({ length: 60 }, (_, n) => ({
  id: n + 1,
  text: `Words ${n}.`,
  author: NAMES[n] ?? `Okoro ${n}`,
}));
const { url, reading } = readSite(quotes);

const INDEX = "authors/o/";
/** Names in the index. */
const ALL = 60;

test.each([
  ["o'brien", "O’Brien"],
  ["o’neill", "O'Neill"],
  ["ostb", "Östberg"],
  ["ΟΣΊΡΙΣ", null],
  ["SONS oba", "Obama & Sons"],
  ["17", "Okoro 17"],
])("%s finds %s, without a request", async (typed, found) => {
  await reading({}, async (page) => {
    await page.goto(url() + INDEX);
    await page.waitForLoadState("networkidle");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const names = page.locator(".index li:visible a");
    expect(await names.count()).toBe(ALL);
    const field = page.getByRole("searchbox", { name: "Find in this list" });
    await field.pressSequentially(typed);
    const wanted = found === null ? [] : [found];
    const left = async () => (await names.allTextContents()).map((name) => name.trim());
    await expect.poll(left).toEqual(wanted);
    expect(await page.locator(".index-filter output").textContent()).toBe(
      `${wanted.length} / ${ALL}`,
    );
    // The same page for all that is typed.
    if (found === null) expect(await axeFaults(page)).toEqual([]);
    await field.fill("");
    await expect.poll(() => names.count()).toBe(ALL);
    expect(asked).toEqual([]);
  });
});

test("a short index has no field, and without a script no index has", async () => {
  await reading({ javaScriptEnabled: false }, async (page) => {
    await page.goto(url() + INDEX);
    expect(await page.locator(".index li").count()).toBe(ALL);
    expect(await page.locator(".index-filter").isVisible()).toBe(false);
  });
  await reading({}, async (page) => {
    await page.goto(`${url()}languages/`);
    expect(await page.locator(".index-filter").count()).toBe(0);
  });
});
