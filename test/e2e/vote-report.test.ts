/** Reporting a quote: two steps, hidden at once and on later visits in this browser, shown again on request. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { cardOf, EN, MANY, report, reportIn, useVotes } from "../support/browser/index.ts";
import type { ReplyName } from "../support/votes/index.ts";
import { inTiers } from "../support/tier.ts";

const votes = useVotes();

const noteOf = (page: Page) => page.locator(".vote-note");

test("nothing is sent before the second step", async () => {
  const page = await votes.open();
  const { first, second } = reportIn(page);
  expect(await first.isVisible()).toBe(false);
  await cardOf(page, 2).more.click();
  await first.waitFor();
  expect(await second.isVisible()).toBe(false);
  await first.click();
  expect(await second.isVisible()).toBe(true);
  await page.waitForTimeout(150);
  expect(votes.service.posts()).toEqual([]);
});

// The states of each answer are those of a vote.
for (const { cases, options } of inTiers<ReplyName>(["ok", "noCors"], 1))
  test.each(cases)(
    "a report answered by %s hides the quote at once, in other tabs and on later visits",
    options,
    async (reply) => {
      const page = await votes.open();
      const other = await votes.open(MANY, page.context());
      votes.service.reply = reply;
      await report(page, 2);
      await noteOf(page).waitFor();
      expect(await cardOf(page, 2).article.isVisible()).toBe(false);
      expect(await noteOf(page).textContent()).toMatch(/^You reported this quote/);
      // The button that was pressed is gone: the line in its place has the focus.
      expect(await noteOf(page).evaluate((note) => document.activeElement === note)).toBe(true);
      await noteOf(other).waitFor();
      await page.reload();
      await noteOf(page).waitFor();
      expect(await cardOf(page, 2).article.isVisible()).toBe(false);
      expect(await cardOf(page, 1).article.isVisible()).toBe(true);
      expect(votes.service.posts()).toEqual(["report 2"]);
    },
  );

test(
  "the hiding is undone on request, here and in other tabs, and the report is not sent twice",
  { tags: "long" },
  async () => {
    const page = await votes.open();
    const other = await votes.open(EN, page.context());
    await report(page, 2);
    await noteOf(other).waitFor();
    await noteOf(page).getByRole("button", { name: "Show it again" }).click();
    await noteOf(other).waitFor({ state: "detached" });
    expect(await cardOf(page, 2).article.isVisible()).toBe(true);
    expect(await cardOf(page, 2).more.evaluate((button) => document.activeElement === button)).toBe(
      true,
    );
    await page.reload();
    expect(await noteOf(page).count()).toBe(0);
    await report(page, 2);
    await cardOf(page, 2).state("reported");
    expect(votes.service.posts()).toEqual(["report 2"]);
  },
);

test.each<[ReplyName, string]>([
  ["badRequest", "refused"],
  ["failed", "later"],
])("a report answered by %s leaves the quote where it is: %s", async (reply, state) => {
  const page = await votes.open();
  votes.service.reply = reply;
  await report(page, 2);
  await cardOf(page, 2).state(state);
  expect(await cardOf(page, 2).article.isVisible()).toBe(true);
  await page.reload();
  expect(await cardOf(page, 2).article.isVisible()).toBe(true);
  expect(votes.service.posts()).toEqual(["report 2"]);
});

test("a report is sent while a vote still waits for its answer, and leaves its count", async () => {
  const page = await votes.open();
  votes.service.reply = "silence";
  await cardOf(page, 2).up.click();
  await cardOf(page, 2).state("sending");
  await report(page, 2);
  await expect.poll(() => votes.service.posts()).toEqual(["upvote 2", "report 2"]);
  expect(await cardOf(page, 2).count.textContent()).toBe("51");
});

test("keys step over a quote that is hidden", async () => {
  const page = await votes.open();
  await report(page, 2);
  await noteOf(page).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.id);
  for (const [key, id] of [
    ["j", "q1"],
    ["j", "q3"],
    ["k", "q1"],
  ] as const) {
    await page.keyboard.press(key);
    expect(await focused()).toBe(id);
  }
});
