import { experimental_AstroContainer as AstroContainer } from "astro/container";
import type { AstroComponentFactory } from "astro/runtime/server/index.js";
import { expect, test } from "vitest";
import type { Picture as Shown } from "../../src/contract/picture.ts";

// A name that tsc does not follow: it knows no type of `.astro` files, `astro check` does.
const component: string = "../../src/components/Picture.astro";

const thumbnail: Shown = {
  kind: "thumbnail",
  width: 192,
  height: 240,
  colour: "#336699",
  sources: [
    {
      type: "image/avif",
      variants: [
        { src: "/_pictures/a.avif", density: 1, width: 192, height: 240 },
        { src: "/_pictures/b.avif", density: 1.51, width: 290, height: 363 },
      ],
    },
    {
      type: "image/webp",
      variants: [{ src: "/_pictures/c.webp", density: 1, width: 192, height: 240 }],
    },
  ],
};

async function render(picture: Shown, alt = "Mark Twain"): Promise<string> {
  const container = await AstroContainer.create();
  const { default: Picture } = (await import(component)) as { default: AstroComponentFactory };
  return container.renderToString(Picture, { props: { picture, alt } });
}

test("a thumbnail offers AVIF by density, then WebP, in a room of its own", async () => {
  const html = await render(thumbnail);
  expect(html).toContain(
    '<source type="image/avif" srcset="/_pictures/a.avif 1x, /_pictures/b.avif 1.51x"',
  );
  const img = /<img [^>]*>/.exec(html)?.[0];
  for (const attribute of ['src="/_pictures/c.webp"', 'width="192"', 'height="240"']) {
    expect(img).toContain(attribute);
  }
  for (const attribute of ['alt="Mark Twain"', 'loading="lazy"', 'decoding="async"']) {
    expect(img).toContain(attribute);
  }
  expect(html).toContain('fill="#336699"');
});

test("nothing in it needs an inline style, and nothing gets out of `alt`", async () => {
  const html = await render(thumbnail, '"><script>alert(1)</script>');
  expect(html).not.toMatch(/\sstyle=/);
  expect(html).toContain('alt="&quot;><script>alert');
});

test("a see-through picture has no colour below it", async () => {
  expect(await render({ ...thumbnail, colour: null })).not.toContain("<svg");
});

test("a stand-in is drawn in place and says nothing", async () => {
  const html = await render({ kind: "stand-in", width: 192, height: 192 });
  expect(html).toMatch(/<svg[^>]* aria-hidden="true"/);
  expect(html).not.toMatch(/<img|<source/);
});
