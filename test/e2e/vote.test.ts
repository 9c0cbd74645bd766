/**
 * One POST a quote and browser, also after repeated clicks and from several tabs, and the state that follows from its
 * answer; the service's journal is the oracle.
 */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { type Card, cardOf, EN, MANY, pageErrors, useVotes } from "../support/browser/index.ts";
import type { ReplyName } from "../support/votes/index.ts";
import { inTiers } from "../support/tier.ts";

const votes = useVotes();

const BUSY = "The service is busy. Please try again";

// What each status and body means is a table of `readAnswer()`: here are the ways in which a browser gets them.
for (const { cases, options } of inTiers<[ReplyName, string, string]>(
  [
    ["ok", "counted", "Counted. Thank you."],
    [
      "noCors",
      "unconfirmed",
      "Sent. The service has not answered, so we do not know whether it counted.",
    ],
    [
      "cut",
      "unconfirmed",
      "Sent. The service has not answered, so we do not know whether it counted.",
    ],
    [
      "redirect",
      "unconfirmed",
      "Sent. The service has not answered, so we do not know whether it counted.",
    ],
    ["badRequest", "refused", "The service did not take this vote."],
    ["throttled", "later", `${BUSY} in 5 minutes.`],
    ["throttledForDays", "later", `${BUSY} in 3 days.`],
    ["throttledUnreadable", "later", `${BUSY} later.`],
  ],
  3,
))
  test.each(cases)(
    "a vote answered by %s is %s, sent once, and put back unless it may have counted",
    options,
    async (reply, state, words) => {
      const page = await votes.open();
      const card = cardOf(page, 2);
      votes.service.reply = reply;
      // Its headers: a connection that dies before them is another case.
      const begun = reply === "cut" ? page.waitForResponse(/upvote/) : null;
      await card.up.click();
      if (begun !== null) {
        await begun;
        await card.state("sending");
        votes.service.dropConnections();
      }
      await card.state(state);
      expect(await card.words.textContent()).toBe(words);
      const kept = state === "counted" || state === "unconfirmed";
      expect(await card.count.textContent()).toBe(kept ? "51" : "50");
      expect(await card.up.getAttribute("aria-pressed")).toBe(String(kept));
      expect(await card.up.evaluate((button) => document.activeElement === button)).toBe(true);
      const headers = votes.service.journal[0]?.headers;
      expect(headers?.["content-type"]).toMatch(/^application\/x-www-form-urlencoded/);
      expect(headers?.cookie).toBeUndefined();

      // What may have counted is closed for good, what was refused is the reader's to try again.
      votes.service.reply = "ok";
      await page.reload();
      await card.down.click();
      await card.state(kept ? "already" : "counted");
      expect(votes.service.posts()).toEqual(["upvote 2", ...(kept ? [] : ["downvote 2"])]);
    },
  );

test("a vote that is not answered is unconfirmed, and a late answer still counts", async () => {
  const page = await votes.open(EN, await votes.reader());
  await page.clock.install();
  const card = cardOf(page, 1);
  votes.service.reply = "silence";
  await card.up.click();
  await card.state("sending");
  expect(await card.count.textContent()).toBe("61");
  await page.clock.fastForward(30_000);
  await card.state("unconfirmed");
  await card.up.click();
  await votes.service.answerSilent("ok");
  await card.state("counted");
  expect(votes.service.posts()).toEqual(["upvote 1"]);
});

test("offline, nothing is sent and nothing is remembered", { tags: "long" }, async () => {
  const page = await votes.open(EN, await votes.reader());
  const card = cardOf(page, 1);
  await page.context().setOffline(true);
  await page.waitForFunction(() => !navigator.onLine);
  await card.up.click();
  await card.state("offline");
  expect(await card.count.textContent()).toBe("60");
  await page.context().setOffline(false);
  await page.waitForFunction(() => navigator.onLine);
  await page.waitForTimeout(300);
  expect(votes.service.posts()).toEqual([]);
  await card.up.click();
  await card.state("counted");
  expect(votes.service.posts()).toEqual(["upvote 1"]);
});

test("a service that asked to be left alone is not asked again, for any quote", async () => {
  const page = await votes.open();
  votes.service.reply = "throttled";
  await cardOf(page, 1).up.click();
  await cardOf(page, 1).state("later");
  await cardOf(page, 2).down.click();
  await cardOf(page, 2).state("later");
  expect(votes.service.posts()).toEqual(["upvote 1"]);
});

test("a connection that dies is not tried again by the browser either, once answers close theirs", async () => {
  const page = await votes.open();
  await cardOf(page, 1).up.click();
  await cardOf(page, 1).state("counted");
  votes.service.reply = "reset";
  await cardOf(page, 2).up.click();
  await cardOf(page, 2).state("unconfirmed");
  expect(votes.service.posts()).toEqual(["upvote 1", "upvote 2"]);
});

/** Long enough for a second request to arrive, were there one. */
const A_WHILE_MS = 250;

/** Waits for the first request, however long it takes, and then a while for more. */
async function sent(page: Page): Promise<string[]> {
  await expect.poll(() => votes.service.posts().length).toBeGreaterThan(0);
  await page.waitForTimeout(A_WHILE_MS);
  return votes.service.posts();
}

const click20 = (button: HTMLButtonElement): void => {
  for (let click = 0; click < 20; click++) button.click();
};

test.each<[string, (card: Card) => Promise<unknown>]>([
  ["a double click", ({ up }) => up.dblclick()],
  ["20 clicks in one turn", ({ up }) => up.evaluate(click20)],
  ["Enter plus click", ({ up }) => up.press("Enter").then(() => up.click())],
  ["up and down at once", ({ up, down }) => Promise.all([up.click(), down.click()])],
])("%s is one POST", async (_, act) => {
  const page = await votes.open();
  await act(cardOf(page, 1));
  expect(await sent(page)).toHaveLength(1);
});

test("two tabs at once are one POST, and both show it", { tags: "long" }, async () => {
  const context = await votes.reader();
  const open = (path: string) => votes.open(path, context);
  const tabs = [await open(EN), await open(EN), await open(MANY)] as const;
  votes.service.reply = "silence";
  await Promise.all(
    tabs.map((tab) => cardOf(tab, 3).up.evaluate((button: HTMLButtonElement) => button.click())),
  );
  expect(await sent(tabs[0])).toEqual(["upvote 3"]);
  await votes.service.answerSilent("ok");
  for (const tab of tabs) await tab.locator('#q3 [aria-pressed="true"]').waitFor();
});

test(
  "a tab does not act on a quote that another tab is acting on, though storage does not show it yet",
  { tags: "long" },
  async () => {
    const context = await votes.reader();
    const [first, second] = [await votes.open(EN, context), await votes.open(EN, context)];
    await first.evaluate(
      () =>
        new Promise<void>((held) => {
          void navigator.locks.request("vote:/:3", () => {
            held();
            return new Promise(() => undefined);
          });
        }),
    );
    await cardOf(second, 3).up.click();
    await second.waitForTimeout(A_WHILE_MS);
    expect(votes.service.posts()).toEqual([]);
  },
);

test("a vote that was refused is free again in every tab", { tags: "long" }, async () => {
  const context = await votes.reader();
  const [first, second] = [await votes.open(EN, context), await votes.open(EN, context)];
  votes.service.reply = "silence";
  await cardOf(first, 1).up.click();
  await second.locator('#q1 [aria-pressed="true"]').waitFor();
  await votes.service.answerSilent("badRequest");
  await second.locator('#q1 [aria-pressed="true"]').waitFor({ state: "detached" });
  votes.service.reset();
  await cardOf(second, 1).down.click();
  await cardOf(second, 1).state("counted");
  expect(votes.service.posts()).toEqual(["downvote 1"]);
});

test(
  "a reader who leaves at once still votes, and not twice after coming back",
  { tags: "long" },
  async () => {
    const page = await votes.open();
    await cardOf(page, 1).up.click();
    await page.click('.masthead [href="/tags/"]');
    await page.waitForURL("**/tags/");
    // Another tab has acted meanwhile; a page that slept in the back-forward cache must see it, too.
    await page.evaluate(() => localStorage.setItem("vote:/:2", "downvote"));
    await page.goBack();
    await page.locator('#q2 [aria-pressed="true"]').waitFor();
    await cardOf(page, 1).up.click();
    await cardOf(page, 1).state("already");
    expect(await sent(page)).toEqual(["upvote 1"]);
  },
);

const NO_STORAGE = () => {
  const denied = () => new DOMException("denied", "SecurityError");
  Object.defineProperty(window, "localStorage", {
    get() {
      throw denied();
    },
  });
  navigator.locks.request = () => Promise.reject(denied());
};

const FULL_STORAGE = () => {
  for (let size = 1 << 22; size > 0; size >>= 1) {
    try {
      for (let n = 0; ; n++) localStorage.setItem(`${size}/${n}`, "x".repeat(size));
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
  }
};

const CORRUPT_STORAGE = () => {
  for (const pk of [1, 2]) {
    for (const kind of ["vote", "report"]) localStorage.setItem(`${kind}:/:${pk}`, '{"\u0000');
  }
};

const NO_LOCKS = () => Object.defineProperty(navigator, "locks", { value: undefined });

test.each<[string, () => void]>([
  ["refused", NO_STORAGE],
  ["full", FULL_STORAGE],
  ["full of nonsense", CORRUPT_STORAGE],
  ["there and locks are not", NO_LOCKS],
])("voting works for the visit where storage is %s", { tags: "long" }, async (_, script) => {
  const context = await votes.reader();
  await context.addInitScript(script);
  const page = await votes.open(EN, context);
  const faults = pageErrors(page);
  const card = cardOf(page, 1);
  await card.up.dblclick();
  await card.state("counted");
  await card.down.click();
  await card.state("already");
  await cardOf(page, 2).down.click();
  await cardOf(page, 2).state("counted");
  expect(await card.count.textContent()).toBe("61");
  expect(votes.service.posts()).toEqual(["upvote 1", "downvote 2"]);
  expect(faults).toEqual([]);
});
