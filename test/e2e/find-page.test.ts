/** How the page of the search behaves while it answers, in a real browser. */
// @module-tag long
import { expect, test } from "vitest";
import {
  ask,
  axeFaults,
  firstAnswers,
  inChromium,
  searchedSite,
  untilQuiet,
  watchShifts,
} from "../support/browser/index.ts";
import { SCRIPT_TEXT } from "../support/snapshot/index.ts";

const { url, reader, another } = searchedSite();

inChromium.concurrent.each([320, 1280])(
  "nothing moves while answers come, %s pixels wide",
  async (width) => {
    const own = await another();
    const { page } = own;
    await page.setViewportSize({ width, height: 800 });
    const shifted = await watchShifts(page);
    await ask(page, url(), "Anna");
    await page.waitForSelector(".found[aria-busy=false] > li");
    expect(await shifted()).toBeLessThan(0.01);
    await own.close();
  },
);

test("fast keys and answers that come against their order end with the right results", async () => {
  const own = await another();
  const { page } = own;
  const quiet = untilQuiet(page);
  // The first file is waited for by all searches.
  const late = [1_500, 900, 600, 300];
  await page.route("**/*.pf_*", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, late.shift() ?? 0));
    await route.continue();
  });
  await page.goto(`${url()}search/?q=${encodeURIComponent("valley was silencing")}`);
  await page.fill("input[name=q]", "repainted the harbour");
  await page.waitForURL(/q=repainted/);
  await page.fill("input[name=q]", "thistles gather");
  await page.waitForURL(/q=thistles/);
  await page.waitForSelector(".found > li");
  // The search is over when the other languages are asked, too.
  await page.waitForSelector(".found[aria-busy=false]");
  await quiet();
  expect((await firstAnswers(page)).map(({ text }) => text)).toEqual([
    "Two thistles gather dust above the mill.",
  ]);
  expect(await page.isVisible(".also")).toBe(false);
  // What is typed and taken back leaves nothing.
  await page.fill("input[name=q]", "repainted");
  await page.waitForURL(/q=repainted$/);
  await page.fill("input[name=q]", "");
  await page.waitForURL(/search\/$/);
  await page.waitForSelector(".found > li", { state: "detached" });
  await quiet();
  expect(await page.locator(".found > li").count()).toBe(0);
  expect(await page.textContent("quote-search [role=status]")).toBe("");
  await own.close();
});

test("an answer opens on its quote, and hostile text stays text", async () => {
  const [answer] = await ask(reader().page, url(), '"img src x onerror alert"');
  expect(answer).toMatchObject({ text: SCRIPT_TEXT, by: "<b>Nobody", language: "English" });
  const tags = await reader().page.locator(".found > li").first().locator(".tag").allTextContents();
  expect(tags.map((tag) => tag.trim())).toEqual(["U.S. history", "Anew"]);
  await reader().page.goto(answer?.href ?? "");
  expect(await reader().page.textContent("article.quote:target blockquote")).toBe(SCRIPT_TEXT);
  expect(reader().errors).toEqual([]);
});

test("a filter that the site does not have, as in an old link, counts as none", async () => {
  const { page } = reader();
  await page.goto(`${url()}search/?q=Anna&language=xx&tag=gone&length=5`);
  await page.waitForSelector(".found > li");
  const filters = page.locator("quote-search select");
  const chosen = await filters.evaluateAll((all) =>
    all.map((select) => select instanceof HTMLSelectElement && select.selectedIndex),
  );
  expect(chosen).toEqual([0, 0, 0]);
});

test("a search that could not be loaded says so, and works once there is a connection", async () => {
  const own = await another();
  const { page } = own;
  const status = expect.poll(() => page.textContent("[role=status]"));
  const said = "The search could not be loaded. Please try again.";
  await page.route("**/*pf_meta", () => undefined);
  await page.goto(`${url()}search/?q=life&language=en`);
  await page.waitForFunction(
    () =>
      getComputedStyle(document.querySelector(".found") as Element, "::before").content === '"…"',
  );
  await page.unrouteAll();
  for (const part of ["pagefind.js", "pf_meta"]) {
    await page.route(`**/*${part}`, (route) => route.abort());
    const lost = page.waitForEvent("requestfailed", (request) => request.url().includes(part));
    await page.reload();
    await lost;
    await status.toBe(said);
    await page.unrouteAll();
    await page.press("input[name=q]", "Enter");
    await status.toMatch(/^\d+\+? quotes?$/);
  }
  // The part of the index that has the word is not there yet.
  await page.context().setOffline(true);
  await page.fill("input[name=q]", "Anna");
  await status.toBe(said);
  await page.context().setOffline(false);
  await page.press("input[name=q]", "Enter");
  await status.toMatch(/^\d+\+? quotes?$/);
  // A part is missing on the host: the other words alone would find other quotes.
  await page.route("**/*.pf_index", (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await status.toBe(said);
  await page.unrouteAll();
  await page.press("input[name=q]", "Enter");
  await status.toMatch(/^\d+\+? quotes?$/);
  await own.close();
});

test("what a search needs is asked for together: names, the program and its parts wait for none of the others", async () => {
  const own = await another();
  const { page } = own;
  const asked = ["/_lists/names-", "/pagefind-entry.json", "/pagefind.js", ".pf_meta", "/wasm."];
  const open = new Set(asked);
  const { promise: all, resolve } = Promise.withResolvers<void>();
  for (const part of asked)
    await page.route(`**/*${part}*`, async (route) => {
      open.delete(part);
      if (open.size === 0) resolve();
      await all;
      await route.continue();
    });
  await page.goto(`${url()}search/?q=thistles`);
  await page.waitForSelector(".found > li");
  expect([...open]).toEqual([]);
  await own.close();
});

test("keys lead from the field to the answers, filters narrow them, the address keeps both", async () => {
  const { page } = reader();
  await page.goto(`${url()}search/`);
  await page.keyboard.type("life");
  // Who types slowly has answers to the first letters already, and they are about to go.
  await page.waitForURL(/q=life$/);
  await page.waitForSelector(".found > li");
  // On a Mac the keys of an input method arrive like any other.
  await page.evaluate(() => {
    const key = { key: "ArrowDown", isComposing: true, bubbles: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", key));
  });
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("q");
  // The arrow keys are for the suggestions while there are some.
  await page.keyboard.press("Escape");
  expect(await page.inputValue("input[name=q]")).toBe("life");
  for (const answer of [1, 2]) {
    await page.keyboard.press("ArrowDown");
    const focused = page.locator(`.found > li:nth-child(${answer}) > a:focus`);
    expect(await focused.count(), `answer ${answer}`).toBe(1);
  }
  await page.selectOption("select[name=length]", "short");
  await page.waitForURL(/q=life&length=short/);
  await page.waitForSelector(".found > li");
  const texts = await page.$$eval(".found blockquote", (quotes) =>
    quotes.map((q) => q.textContent),
  );
  expect(texts.every((text) => text.length <= 80)).toBe(true);
  await page.check("input[name=curated]");
  await page.waitForURL(/q=life&length=short&curated=yes/);
  await page.reload();
  await page.waitForSelector(".found > li");
  expect(await page.isChecked("input[name=curated]")).toBe(true);
  const links = await page.$$eval(".found > li > a", (found) =>
    found.map((a) => a.getAttribute("href") ?? ""),
  );
  const curated = links.map((link) => Number(/#q(\d+)$/.exec(link)?.[1]) % 3);
  expect(new Set(curated)).toEqual(new Set([0]));
  expect(await axeFaults(page)).toEqual([]);
});
