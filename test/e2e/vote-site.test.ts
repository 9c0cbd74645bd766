/** Voting on the pages themselves, in each theme: the cards of a listing, in its language and direction. */
// @module-tag long
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveFolder, useBrowser, voteOn } from "../support/browser/index.ts";
import { buildSite, buildSubSite, type BuiltSite } from "../support/built/index.ts";
import { siteQuotes } from "../support/snapshot/index.ts";
import { startVoteServer, type VoteServer } from "../support/votes/index.ts";

const quotes = siteQuotes();

const browser = useBrowser();
let service: VoteServer;
beforeAll(async () => {
  service = await startVoteServer();
});
afterAll(() => service.close());

// Each is a site that other tests read, too.
const SITES: readonly (readonly [string, string, () => Promise<BuiltSite>])[] = [
  ["folio", "/sub/", () => buildSubSite()],
  // It has components of its own; press has sheets alone.
  ["night-reader", "/", () => buildSite({ quotes }, { SITE_THEME: "night-reader" })],
  ["press", "/", () => buildSite({ quotes }, { SITE_THEME: "press" })],
];

test.each(SITES)(
  "cards can be voted on and reported in %s, below %s",
  async (theme, base, build) => {
    const built = await build();
    voteOn(service.url, built.outDir);
    const served = await serveFolder(built.outDir, base);
    service.reset();
    const page = await browser().newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    await page.goto(`${served.url}language/ar/`);
    expect(service.journal).toEqual([]);
    const [first, second] = [page.locator(".quote").nth(0), page.locator(".quote").nth(1)];
    const up = first.locator('[form="vote_up"]');
    // An arrow without a box or words: another sheet's buttons are not to dress this one.
    const { fontSize, borderTopWidth } = await up.evaluate((button) => getComputedStyle(button));
    expect([fontSize, borderTopWidth]).toEqual(["0px", "0px"]);
    const arrowOf = (button: Element) => getComputedStyle(button, "::before").scale;
    const before = await up.evaluate(arrowOf);
    await up.click();
    await first.getByText("حُسب صوتك. شكرًا.").waitFor();
    // Colour alone would not say it.
    expect(await up.evaluate(arrowOf)).not.toBe(before);
    await page.emulateMedia({ forcedColors: "active" });
    const [ink, arrow] = await up.evaluate((button) => [
      getComputedStyle(button).color,
      getComputedStyle(button, "::before").backgroundColor,
    ]);
    expect(arrow).toBe(ink);
    await page.emulateMedia({ forcedColors: "none" });
    expect(await second.getByText("إبلاغ", { exact: true }).isVisible()).toBe(false);
    await second.locator(".more").click();
    await page.locator("#card-menu .report summary").click();
    await page.locator('#card-menu [data-act="report"]').click();
    await second.waitFor({ state: "hidden" });
    const pks = await page
      .locator(".quote")
      .evaluateAll((quotes) => quotes.map(({ id }) => id.slice(1)));
    expect(service.posts()).toEqual([`upvote ${pks[0]}`, `report ${pks[1]}`]);
    // On the narrowest phone, too, the menu's button shares its line.
    await page.setViewportSize({ width: 320, height: 640 });
    const lines = await page.locator(".quote:visible .more").evaluateAll((buttons) =>
      buttons.map((button) => {
        const { top, bottom } = button.getBoundingClientRect();
        const others = button.closest(".notes")?.querySelectorAll("a, data") ?? [];
        return [...others].some((other) => {
          const box = other.getBoundingClientRect();
          return box.top < bottom && box.bottom > top;
        });
      }),
    );
    expect(lines.length).toBeGreaterThan(30);
    expect(lines).not.toContain(false);
    expect(await linksCovered(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 720 });
    expect(await linksCovered(page)).toEqual([]);
    await page.goto(served.url);
    expect(await linksCovered(page)).toEqual([]);
    // The arrows of a count that is wider than its margin do not lie over each other.
    await first.locator("data").evaluate((count) => (count.textContent = "100,000,000"));
    const [upBox, downBox] = await Promise.all(
      [up, first.locator('[form="vote_down"]')].map((arrow) => arrow.boundingBox()),
    );
    expect(upBox?.y).toBe(downBox?.y);
    // A picture has its own width, and is in the middle where the text is.
    const picture = await page
      .locator(".quotes > .quote")
      .first()
      .evaluate((card) => {
        const svg = '<svg width="96" height="96"></svg>';
        card.insertAdjacentHTML("afterbegin", `<span class="picture">${svg}</span>`);
        const [span, quote] = card.querySelectorAll(".picture, blockquote");
        const [of, by] = [span?.getBoundingClientRect(), quote?.getBoundingClientRect()];
        const aside = (of?.left ?? 0) + 48 - ((by?.left ?? 0) + (by?.width ?? 0) / 2);
        return { width: of?.width, isCentred: Math.abs(aside) < 1 };
      });
    expect(picture).toEqual({ width: 96, isCentred: theme === "night-reader" });
    // What was voted on is known on another page of the same quote.
    await page.goto(`${served.url}quote/${pks[0]}/`);
    await page.locator('vote-box [aria-pressed="true"]').waitFor();
    expect(complaints).toEqual([]);
    const hasScript = (path: string) =>
      readFileSync(join(built.outDir, path, "index.html"), "utf8").includes("VoteForms");
    expect(["language/ar", "about"].map(hasScript)).toEqual([true, false]);
    await page.close();
  },
);

/** Tags and authors of which another element takes a click: what a button gives a finger reaches beyond its row. */
function linksCovered(page: Page): Promise<string[]> {
  return page.locator(".quote:visible :is(.tag, .by) a").evaluateAll((links) =>
    links.flatMap((link) => {
      link.scrollIntoView({ block: "center" });
      const hits = Array.from(link.getClientRects()).flatMap(({ left, top, width, height }) =>
        [0.1, 0.3, 0.5, 0.7, 0.9].flatMap((across) =>
          [0.1, 0.5, 0.95].map((down) =>
            document.elementFromPoint(left + width * across, top + height * down),
          ),
        ),
      );
      return hits.every((hit) => hit === link) ? [] : (link.textContent ?? "");
    }),
  );
}
