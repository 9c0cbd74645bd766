/** Voting by keyboard, by touch, with a screen reader and from right to left; and on a page from the back-forward cache. */
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { AR, axeFaults, cardOf, EN, report, reportIn, useVotes } from "../support/browser/index.ts";
import type { ReplyName } from "../support/votes/index.ts";

const votes = useVotes();

const isFocused = (it: Locator) => it.evaluate((element) => document.activeElement === element);

test("keyboard only: vote, report in two steps, undo", async () => {
  const page = await votes.open(EN);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  // The first arrow comes behind the links of the masthead.
  const { up } = cardOf(page, 1);
  for (let stops = 0; stops < 12 && !(await isFocused(up)); stops++) await press("Tab");
  await press("Enter");
  await cardOf(page, 1).state("counted");
  // Behind the other arrow and the link is the menu; its last item is the report.
  await press("Tab", "Tab", "Tab", "Enter");
  await page.locator("#card-menu button:focus").first().waitFor();
  const { first } = reportIn(page);
  for (let items = 0; items < 9 && !(await isFocused(first)); items++) await press("Tab");
  await press("Enter", "Tab", "Enter");
  await page.locator(".vote-note").waitFor();
  await press("Tab", "Enter");
  await cardOf(page, 1).article.waitFor();
  expect(votes.service.posts()).toEqual(["upvote 1", "report 1"]);
});

test("axe finds nothing, with a card in each state", async () => {
  const page = await votes.open(AR);
  await report(page, 505);
  await page.locator(".vote-note").waitFor();
  const replies: readonly ReplyName[] = ["ok", "noCors", "badRequest", "throttled"];
  for (const [index, reply] of replies.entries()) {
    votes.service.reply = reply;
    await cardOf(page, index + 501).up.click();
    await page.locator(`#q${index + 501} output:not(:empty)`).waitFor();
  }
  await cardOf(page, 502).more.click();
  await reportIn(page).first.click();
  expect(await axeFaults(page)).toEqual([]);
});

test("right to left: the words are the page's, in its direction, and nothing runs out of the window", async () => {
  const page = await votes.open(AR, await votes.reader({ viewport: { width: 320, height: 640 } }));
  votes.service.reply = "throttled";
  const card = cardOf(page, 501);
  await card.up.click();
  await card.state("later");
  expect(await card.words.textContent()).toBe("الخدمة مشغولة. أعد المحاولة خلال 5 دقائق.");
  expect(await card.words.evaluate((output) => getComputedStyle(output).direction)).toBe("rtl");
  const [up, down] = [await card.up.boundingBox(), await card.down.boundingBox()];
  expect(up?.x ?? 0).toBeGreaterThan(down?.x ?? Infinity);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test("every target is 44 px or more in both directions", async () => {
  const page = await votes.open(EN);
  await report(page, 2);
  await page.locator(".vote-note").waitFor();
  const targets = "#q1 vote-box > button, .vote-note button, #card-menu :is(button, summary)";
  await cardOf(page, 1).more.click();
  await reportIn(page).first.click();
  for (const target of await page.locator(`:is(${targets}):visible`).all()) {
    const box = await target.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  }
  // The signs of the menu's button are small, and what takes the finger around them is not.
  const around = await cardOf(page, 1).more.evaluate((button) => {
    const { width, height } = getComputedStyle(button, "::after");
    return [width, height].map(parseFloat);
  });
  expect(Math.min(...around)).toBeGreaterThanOrEqual(44);
});

test("reduced motion: nothing moves", async () => {
  const page = await votes.open(EN, await votes.reader({ reducedMotion: "reduce" }));
  const duration = await cardOf(page, 1).up.evaluate((b) => getComputedStyle(b).transitionDuration);
  expect(duration).toBe("0s");
});

test("the state is announced: a polite live region that exists before it is filled", async () => {
  const page = await votes.open(EN);
  const live = page.locator("#q1").getByRole("status");
  expect(await live.count()).toBe(1);
  await cardOf(page, 1).up.click();
  await live.getByText("Counted").waitFor();
});

test("a page that comes back as it was left shows what other tabs did", async () => {
  const page = await votes.open(EN);
  await page.evaluate(() => {
    localStorage.setItem("vote:/:2", "downvote");
    localStorage.setItem("report:/:3", "hidden");
    // What a browser says of a page from its back-forward cache; test browsers have none.
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  });
  expect(await cardOf(page, 2).down.getAttribute("aria-pressed")).toBe("true");
  expect(await cardOf(page, 3).article.isVisible()).toBe(false);
  expect(votes.service.posts()).toEqual([]);
});
