/** Keys, /random/, links that moved, and what a page does without JavaScript, in a real browser below a base path. */
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Response } from "playwright-core";
import { expect, test } from "vitest";
import { pageReader, inChromium } from "../support/browser/index.ts";

const { site, url, reader, another, open, clipboard } = pageReader();

test("keys move between quotes and copy, and can be switched off", async () => {
  await open("language/en/");
  const { page } = reader();
  await page.keyboard.press("j");
  // The list has capitals, and so has a keyboard whose capitals are locked.
  await page.keyboard.press("J");
  expect(
    await page.evaluate(() => document.activeElement === document.querySelectorAll("article")[1]),
  ).toBe(true);
  // A quote that is taller than the window is read from its first line.
  await page.setViewportSize({ width: 1280, height: 60 });
  await page.keyboard.press("j");
  expect(
    await page.evaluate(() => document.activeElement?.getBoundingClientRect().top),
  ).toBeGreaterThanOrEqual(0);
  await page.keyboard.press("c");
  await expect.poll(clipboard).toContain("—");
  // In a small window the list of keys is read from its start.
  await page.setViewportSize({ width: 320, height: 200 });
  await page.keyboard.press("?");
  expect(await page.locator("#keys").evaluate((dialog) => dialog.scrollTop)).toBeLessThan(20);
  await page.click("#keys input");
  await page.click("#keys form button");
  await page.reload();
  await page.keyboard.press("/");
  await page.waitForTimeout(200);
  expect(page.url()).toBe(`${url()}language/en/`);
});

test("keys of other scripts do what they do on a Latin keyboard, and a Latin one goes by what it types", async () => {
  const press = (key: string, code: string) =>
    reader().page.evaluate(
      (init) => document.dispatchEvent(new KeyboardEvent("keydown", { ...init, bubbles: true })),
      { key, code },
    );
  const focused = () =>
    reader().page.evaluate(() => {
      const cards = [...document.querySelectorAll("article")];
      return cards.findIndex((card) => card === document.activeElement);
    });
  await open("language/en/");
  const others = ["о", "О", "ت", "ח", "र", "ొ"].map((key) => [key, "KeyJ"] as const);
  for (const [index, [key, code]] of others.entries()) {
    await press(key, code);
    expect(await focused(), key).toBe(index);
  }
  // Dvorak has the H where others have the J, and its J elsewhere.
  await press("h", "KeyJ");
  expect(await focused()).toBe(5);
  await press("j", "KeyC");
  expect(await focused()).toBe(6);
  // The key of the slash is a hyphen on a German keyboard, and a full stop is elsewhere on most.
  await press("-", "Slash");
  await press(".", "Period");
  await reader().page.waitForTimeout(200);
  expect(reader().page.url()).toMatch(/language\/en\/$/);
  await press(".", "Slash");
  await reader().page.waitForURL(/\/sub\/search\/$/);
});

test.each(["", "search/"])("/%s fits a phone whose letters are set to 24 px", async (path) => {
  await open(path);
  const { page } = reader();
  await page.setViewportSize({ width: 360, height: 640 });
  await page.evaluate(() => (document.documentElement.style.fontSize = "150%"));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

test(
  "a permalink opens on its quote, which is marked, also when its page has shifted or is gone",
  { tags: "long" },
  async () => {
    const { page } = reader();
    await open("language/en/");
    const id = ((await page.getAttribute("article.quote", "id")) ?? "").slice(1);
    const [folder, away] = [join(site().outDir, "quote", id), join(site().outDir, "away")];
    renameSync(folder, away);
    try {
      for (const path of [
        `author/william-blake/#q${id}`,
        `quote/${id}/`,
        `author/nobody/9/#q${id}`,
      ]) {
        await open("about/");
        await open(path);
        await page.waitForFunction((q) => document.querySelector(`#q${q}:target`) !== null, id);
        const lineOf = (quote: Element) => getComputedStyle(quote).textDecorationLine;
        expect(await page.locator(":target blockquote").evaluate(lineOf)).toBe("underline");
      }
    } finally {
      renameSync(away, folder); // `/random/` may lead there.
    }
  },
);

test("/random/ leads to a quote without a request to the service", async () => {
  await open("random/");
  await reader().page.waitForURL(/\/sub\/quote\/\d+\/$/);
  await reader().page.locator("article.quote").waitFor();
});

test("a listing page loads little JavaScript, and asks for nothing more", async () => {
  const own = await another();
  const { page } = own;
  const scripts: Response[] = [];
  const others: string[] = [];
  page.on("response", (response) => {
    const type = response.request().resourceType();
    if (type === "script") scripts.push(response);
    if (type === "fetch" || type === "xhr") others.push(response.url());
  });
  await page.goto(`${url()}language/ar/`, { waitUntil: "networkidle" });
  const sizes = await Promise.all(
    scripts.map(async (script) => gzipSync(await script.body()).length),
  );
  const weight = sizes.reduce((sum, size) => sum + size, 0);
  expect(weight).toBeGreaterThan(500);
  expect(weight).toBeLessThanOrEqual(6_800);
  expect(others).toEqual([]);
  await own.close();
});

inChromium(
  "without JavaScript no control is shown that does nothing",
  { tags: "long" },
  async () => {
    const plain = await another({ javaScriptEnabled: false });
    for (const path of ["language/en/", "favourites/", "random/", "today/", "search/"]) {
      await plain.page.goto(url() + path);
      expect(
        await plain.page
          .locator("button:visible:not([form]), input:visible:not(form[action] *), select:visible")
          .count(),
        path,
      ).toBe(0);
    }
    // In place of the form.
    expect(await plain.page.isVisible('main a[href="/sub/authors/"]')).toBe(true);
    await plain.page.goto(`${url()}favourites/`);
    expect(await plain.page.textContent("noscript")).toContain("Keeping quotes needs JavaScript.");
    await plain.close();
    expect(readFileSync(join(site().outDir, "random/index.html"), "utf8")).toContain(
      'class="quote"',
    );
  },
);
