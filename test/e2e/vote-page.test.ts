/**
 * A page with votes: what it costs before a reader acts, without the script, in a frame, by keyboard, by touch, with a
 * screen reader, from right to left, and from the back-forward cache.
 */
// @module-tag long
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Frame, Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import {
  AR,
  axeFaults,
  cardOf,
  EN,
  MANY,
  report,
  reportIn,
  inChromium,
  useVotes,
} from "../support/browser/index.ts";
import type { ReplyName } from "../support/votes/index.ts";

const votes = useVotes();

test("500 cards share one script of at most 2.5 kB", () => {
  const html = readFileSync(join(votes.site.folder, `${MANY}index.html`), "utf8");
  expect(html.match(/<vote-box/g)).toHaveLength(500);
  expect(html.match(/id="vote-states"/g)).toHaveLength(1);
  const scripts = [...html.matchAll(/<script[^>]* src="([^"]*VoteForms[^"]*)"/g)];
  expect(scripts).toHaveLength(1);
  const script = readFileSync(join(votes.site.folder, scripts[0]?.[1] ?? ""));
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(2_560);
});

inChromium(
  "500 cards take little of the processor, no layout of their own, and ask the service for nothing",
  async () => {
    const context = await votes.reader();
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    // Of the processor: other programs may have it meanwhile.
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.goto(`${votes.site.url}${MANY}`);
    await page.waitForFunction(() => document.querySelectorAll("vote-box output").length === 500);
    const { metrics } = await session.send("Performance.getMetrics");
    const figures = new Map(metrics.map(({ name, value }) => [name, value]));
    // Seconds: ten times what they take on an ordinary machine.
    expect(figures.get("ScriptDuration")).toBeLessThan(0.15);
    expect(figures.get("LayoutCount")).toBeLessThan(50);
    expect(votes.service.journal).toEqual([]);
  },
);

inChromium("JavaScript off: a vote counts, and a report takes two steps", async () => {
  const page = await (await votes.reader({ javaScriptEnabled: false })).newPage();
  await page.goto(`${votes.site.url}${EN}`);
  await cardOf(page, 2).up.click();
  await page.waitForURL(`${votes.service.url}/**`);
  await page.goto(`${votes.site.url}${EN}`);
  expect(await cardOf(page, 3).confirm.isVisible()).toBe(false);
  await cardOf(page, 3).summary.click();
  await cardOf(page, 3).confirm.click();
  await page.waitForURL(`${votes.service.url}/**`);
  expect(votes.service.posts()).toEqual(["upvote 2", "report 3"]);
});

test("the policy lets votes go to their origin and nowhere else", async () => {
  const page = await (await votes.reader()).newPage();
  await page.goto(`${votes.site.url}${EN}`);
  const elsewhere = votes.service.url.replace("127.0.0.1", "localhost");
  const reach = (url: string) =>
    page.evaluate(
      (to) =>
        fetch(to, { method: "POST" }).then(
          () => "reached",
          (error: Error) => error.name,
        ),
      `${url}/apiv1/upvote/`,
    );
  expect(await reach(votes.service.url)).toBe("reached");
  expect(await reach(elsewhere)).toBe("TypeError");
  expect(votes.service.journal).toHaveLength(1);
});

async function speculate(page: Page, kind: "prefetch" | "prerender"): Promise<void> {
  await page.goto(`${votes.site.url}about/`);
  await page.evaluate(
    ([rule, to]) => {
      const script = document.createElement("script");
      script.type = "speculationrules";
      script.textContent = JSON.stringify({ [rule]: [{ urls: [to], eagerness: "immediate" }] });
      document.head.append(script);
    },
    [kind, `/${EN}`] as const,
  );
  await page.waitForTimeout(500);
}

test.each(["prefetch", "prerender"] as const)("a %s votes on nothing", async (kind) => {
  const page = await (await votes.reader({ bypassCSP: true })).newPage();
  await speculate(page, kind);
  await page.evaluate((to) => (location.href = to), `/${EN}`);
  await page.waitForURL(`**/${EN}`);
  expect(votes.service.posts()).toEqual([]);
  await cardOf(page, 1).up.click();
  await cardOf(page, 1).state("counted");
  expect(votes.service.posts()).toEqual(["upvote 1"]);
});

/**
 * Opens a page of the host with the site in a frame, which neither shows nor sends votes: the reader may not see what is
 * clicked. `localhost` is another site than 127.0.0.1.
 */
async function framed(page: Page, host: string): Promise<Frame> {
  const iframe = `<iframe width="600" height="600" src="${votes.site.url}${EN}"></iframe>`;
  const framer = `<!doctype html><title>Framer</title>${iframe}`;
  writeFileSync(join(votes.site.folder, "framer.html"), framer);
  const { port } = new URL(votes.site.url);
  await page.goto(`http://${host}:${port}/framer.html`);
  const frame = page.frames()[1];
  if (frame === undefined) throw new Error("the page has no frame");
  return frame;
}

/** Where the first vote and the report are on the page itself. */
async function places(): Promise<{ x: number; y: number }[]> {
  const page = await (await votes.reader({ viewport: { width: 600, height: 600 } })).newPage();
  await page.goto(`${votes.site.url}${EN}`);
  const card = cardOf(page, 1);
  const buttons = await Promise.all([card.up, card.down].map((it) => it.boundingBox()));
  await card.more.click();
  await reportIn(page).first.click();
  const boxes = [...buttons, await reportIn(page).second.boundingBox()];
  await page.context().close();
  return boxes.map((box) => ({ x: (box?.x ?? 0) + 5, y: (box?.y ?? 0) + 5 }));
}

const FRAMERS = [
  ["another site", "localhost"],
  ["the site itself", "127.0.0.1"],
] as const;

test.each(FRAMERS)("in a frame of %s no vote can be clicked", async (_, host) => {
  const where = await places();
  const page = await (await votes.reader()).newPage();
  const frame = await framed(page, host);
  await frame.waitForFunction(() => customElements.get("vote-box") !== undefined);
  expect(await frame.locator("vote-box").count()).toBe(6);
  expect(await frame.locator("vote-box :is(button, summary)").count()).toBe(0);
  await frame.locator("#q1 .more").click();
  await frame.locator('#card-menu [data-act="link"]').waitFor();
  expect(await frame.locator("#card-menu .report").isVisible()).toBe(false);
  await page.keyboard.press("Escape");
  expect(await frame.locator("#q1 data").textContent()).toBe("60");
  // Another tab's vote is no reason to show anything either.
  await frame.evaluate(() => dispatchEvent(new StorageEvent("storage", { key: "vote:/:1" })));
  const corner = await page.locator("iframe").boundingBox();
  for (const { x, y } of where) {
    await page.mouse.click((corner?.x ?? 0) + 2 + x, (corner?.y ?? 0) + 2 + y);
  }
  // Some keys follow a link to another page of the site, which is in the frame then.
  for (let key = 0; key < 20; key++) {
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
  }
  await page.waitForTimeout(300);
  expect(votes.service.journal).toEqual([]);
});

test.each(FRAMERS)("in a frame of %s no vote is shown before its script runs", async (_, host) => {
  const page = await (await votes.reader()).newPage();
  await page.route("**/_astro/*.js", (route) => route.abort());
  const frame = await framed(page, host);
  const controls = frame.locator("vote-box :is(button, summary)");
  expect(await controls.count()).toBeGreaterThan(0);
  expect(await controls.filter({ visible: true }).count()).toBe(0);
  await page.goto(votes.site.url + EN);
  const own = page.locator("vote-box :is(button, summary)");
  expect(await own.filter({ visible: true }).count()).toBeGreaterThan(0);
});

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
  // Behind the other arrow and the buttons that keep and copy is the menu; its last item is the report.
  await press("Tab", "Tab", "Tab", "Tab", "Enter");
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
  const targets =
    "#q1 vote-box > button, #q1 .more, .vote-note button, #card-menu :is(button, summary)";
  await cardOf(page, 1).more.click();
  await reportIn(page).first.click();
  for (const target of await page.locator(`:is(${targets}):visible`).all()) {
    const box = await target.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  }
  // A word is as wide as it is.
  for (const target of await page.locator("#q1 .do button").all())
    expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
});

inChromium("reduced motion: nothing moves", async () => {
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
