/** What a page with votes costs before a reader acts, and that it works without the script. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { cardOf, EN, MANY, useVotes } from "../support/browser/index.ts";

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

test("500 cards take little of the processor, no layout of their own, and ask the service for nothing", async () => {
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
});

test("JavaScript off: a vote counts, and a report takes two steps", async () => {
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
