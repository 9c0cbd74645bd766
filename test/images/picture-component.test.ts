import { readFileSync } from "node:fs";
import { experimental_AstroContainer as AstroContainer } from "astro/container";
import type { AstroComponentFactory } from "astro/runtime/server/index.js";
import { expect, test } from "vitest";
import type { Picture } from "../../src/contract/picture.ts";
import { useBrowser } from "../support/browser/index.ts";
import { openHost, send } from "./support/host.ts";
import { quarters } from "./support/made-pictures.ts";

// A name that tsc does not follow: it knows no type of `.astro` files, `astro check` does.
const component: string = "../../src/components/quote/Picture.astro";

async function renderPicture(picture: Picture, alt: string): Promise<string> {
  const container = await AstroContainer.create();
  const { default: factory } = (await import(component)) as { default: AstroComponentFactory };
  return container.renderToString(factory, { props: { picture, alt } });
}

const size = { width: 192, height: 240 };
const large = { src: "/_pictures/b.avif", density: 1.51, width: 290, height: 363 };
const avif = [{ src: "/_pictures/a.avif", density: 1, ...size }, large];
const webp = [{ src: "/_pictures/c.webp", density: 1, ...size }];
const sources = [
  { type: "image/avif", variants: avif },
  { type: "image/webp", variants: webp },
] as const;
const thumbnail: Picture = { kind: "thumbnail", ...size, colour: "#336699", sources };

test("a thumbnail offers AVIF by density, then WebP, in a room of its own", async () => {
  const html = await renderPicture(thumbnail, "Mark Twain");
  const srcset = "/_pictures/a.avif 1x, /_pictures/b.avif 1.51x";
  expect(html).toContain(`<source type="image/avif" srcset="${srcset}"`);
  const img = /<img [^>]*>/.exec(html)?.[0];
  const room = ['src="/_pictures/c.webp"', 'width="192"', 'height="240"', 'decoding="async"'];
  for (const attribute of [...room, 'alt="Mark Twain"', 'loading="lazy"'])
    expect(img).toContain(attribute);
  expect(html).toContain('fill="#336699"');
});

test("a picture needs no inline style, and nothing gets out of its `alt`", async () => {
  const html = await renderPicture(thumbnail, '"><script>alert(1)</script>');
  expect(html).not.toMatch(/\sstyle=/);
  expect(html).toContain('alt="&quot;><script>alert');
});

test("a picture to see through has no colour below it", async () => {
  expect(await renderPicture({ ...thumbnail, colour: null }, "")).not.toContain("<svg");
});

test("a stand-in is drawn in place and has no words", async () => {
  const html = await renderPicture({ kind: "stand-in", width: 192, height: 192 }, "");
  expect(html).toMatch(/<svg[^>]* aria-hidden="true"/);
  expect(html).not.toMatch(/<img|<source/);
});

const browser = useBrowser();
const SHEET = readFileSync(new URL("../../src/styles/quote.css", import.meta.url), "utf8");

test("a browser keeps its room, shows its colour, and takes the AVIF of its density", async () => {
  const page = await renderPicture(thumbnail, "Mark Twain");
  const bytes = await quarters(192, 240).avif({ effort: 0 }).toBuffer();
  const late: (() => void)[] = [];
  const host = await openHost((response, request) => {
    if (request.url === "/sheet.css") {
      response.writeHead(200, { "content-type": "text/css" }).end(SHEET);
    } else if (request.url === "/") {
      response.setHeader("content-security-policy", POLICY).setHeader("content-type", "text/html");
      send(response, 200, `<!doctype html><link rel=stylesheet href=/sheet.css>${page}`);
    } else late.push(() => send(response, 200, bytes));
  });
  for (const [deviceScaleFactor, wanted] of [
    [1, "a"],
    [2, "b"],
  ] as const) {
    const tab = await browser().newPage({ deviceScaleFactor });
    await tab.goto(host.url, { waitUntil: "domcontentloaded" });
    await tab.waitForFunction(() => document.styleSheets.length > 0);
    const box = { x: 8, y: 8, width: 192, height: 240 };
    for (const part of [".picture img", ".picture > svg"]) {
      expect(await tab.locator(part).boundingBox()).toEqual(box);
    }
    await expect.poll(() => late.length).toBeGreaterThan(0);
    for (const answer of late.splice(0)) answer();
    const image = tab.locator("img");
    await expect
      .poll(() => image.evaluate((img: HTMLImageElement) => img.complete && img.currentSrc))
      .toBe(`${host.url}/_pictures/${wanted}.avif`);
    expect(await image.boundingBox()).toMatchObject(box);
  }
});

const POLICY = "default-src 'none'; img-src 'self'; style-src 'self'";
