/** What Astro documents works in a fork, and the same bytes come of `astro build`, of the renderer, and without threads. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import {
  CONTENT_CONFIG,
  contentOf,
  datesOf,
  differences,
  Fork,
  NOTE,
  someLines,
  type BuildHow,
} from "./support.ts";

const fork = new Fork(someLines(12));
let site: Record<string, string>;

beforeAll(async () => {
  fork.write("src/content.config.ts", CONTENT_CONFIG);
  fork.write("notes/first.md", "---\ntitle: First\n---\nA *note* of a collection.\n");
  fork.write("src/pages/notes/[id].astro", NOTE);
  fork.write("src/pages/photo.astro", PHOTO);
  fork.write("src/photo.png", await sharp(PIXELS).png().toBuffer());
  fork.write(
    "src/pages/story.md",
    "---\nlayout: ../layouts/Story.astro\n---\nOnce *upon* a time.\n",
  );
  fork.write("src/layouts/Story.astro", "<html><body class='story'><slot /></body></html>");
  fork.write("src/pages/call/[name].astro", CALL);
  fork.write("src/middleware.ts", MIDDLEWARE);
  fork.write("extra.json", JSON.stringify({ word: "one" }));
  fork.write(".env", "PUBLIC_MOTTO=first-motto\n");
  fork.edit(
    "src/pages/tag/[slug]/[...page].astro",
    "---\n",
    '---\nimport extra from "../../../../extra.json";\n',
  );
  fork.edit(
    "src/pages/tag/[slug]/[...page].astro",
    "<h1>",
    "<p>{extra.word} {import.meta.env.PUBLIC_MOTTO}</p>\n  <h1>",
  );
  fork.edit(
    "astro.config.mjs",
    "integrations: [",
    `redirects: { "/old": "/book/" },\n  integrations: [${HOOKS},`,
  );
  const { status, stderr } = await fork.build();
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  site = contentOf(fork.outDir);
});

const PIXELS = { create: { width: 8, height: 8, channels: 3, background: "#123456" } } as const;

const PHOTO = `---
import { Image } from "astro:assets";
import photo from "../photo.png";
---
<Image src={photo} alt="" />
`;

const CALL = `---
export const getStaticPaths = () => [{ params: { name: "ada" }, props: { call: () => "called" } }];
---
<p>{Astro.props.call()}</p>
`;

const MIDDLEWARE = `
export const onRequest = async (context, next) => {
  const response = await next();
  if (!context.url.pathname.endsWith("/tag/all/2/")) return response;
  return new Response((await response.text()).replace("<h1>", "<h1 data-middleware>"), response);
};
`;

const HOOKS = `{
  name: "test:done",
  hooks: {
    "astro:build:done": async ({ dir, pages }) => {
      const { existsSync, writeFileSync } = await import("node:fs");
      const pathnames = pages.map(({ pathname }) => decodeURI(pathname)).sort();
      const missing = pathnames.filter((path) => path !== "404/" && path !== "old/" && !existsSync(new URL(path + "index.html", dir)));
      writeFileSync(new URL("done.html", dir), "Its own.");
      writeFileSync(new URL("done.json", dir), JSON.stringify({ pathnames, missing }));
    },
  },
}`;

test.each<[string, string, RegExp]>([
  ["a content collection", "notes/first/index.html", /A <em>note<\/em> of a collection/],
  ["<Image>", "photo/index.html", /src="\/book\/_astro\/photo\.\w+\.webp"/],
  ["a Markdown page with a layout", "story/index.html", /class="story"[\s\S]*<em>upon<\/em>/],
  ["a redirect", "old/index.html", /url=\/book\//],
  ["middleware on page 2 of a bulk route", "tag/all/2/index.html", /<h1 data-middleware>/],
  ["a function among the props", "call/ada/index.html", />called</],
  ["a function among the props of a bulk route", "quote/3/index.html", /LINE 3 SAYS/],
  ["JSON outside of src", "tag/all/index.html", />one first-motto</],
])("%s works", (_, file, content) => {
  expect(site[file]).toMatch(content);
});

test("astro:build:done gets the real folder and every page, and what is written there stays", () => {
  expect(site["done.html"]).toBe("Its own.");
  const done = Buffer.from(site["done.json"] ?? "", "latin1").toString();
  const { pathnames, missing } = JSON.parse(done) as Record<string, string[]>;
  expect(missing).toEqual([]);
  const pages = Object.keys(site).filter(
    (file) => file.endsWith("index.html") && file !== "old/index.html",
  );
  for (const file of pages) expect(pathnames).toContain(file.replace(/index\.html$/, ""));
});

test("nothing changed: no file is touched and no page of a bulk route rendered, however the build is started", async () => {
  const before = datesOf(fork.outDir);
  const { report } = await fork.build({ env: { _: "/usr/local/bin/npx" } });
  const after = datesOf(fork.outDir);
  // The test's own integration writes at every build.
  const touched = Object.keys(after).filter((file) => after[file] !== before[file]);
  expect(touched.sort()).toEqual(["done.html", "done.json"]);
  expect(report?.rendered).toBeLessThan(report?.pages ?? 0);
  expect(report).toMatchObject({ written: 0, changes: { added: 0, changed: 0, removed: 0 } });
});

test.each<[string, BuildHow]>([
  ["astro build", { plain: true }],
  ["the renderer without threads", { bulk: [] }],
])("%s writes the same bytes", async (name, how) => {
  const folder = join(fork.root, name.replaceAll(" ", "-"));
  const built = await fork.build({ ...how, outDir: folder, stateDir: `${folder}-state` });
  expect(built).toMatchObject({ status: 0, stderr: "" });
  expect(differences(contentOf(folder), site)).toEqual([]);
});

test("edits of JSON outside of src and of .env are on the pages of the next build", async () => {
  fork.write("extra.json", JSON.stringify({ word: "two" }));
  fork.write(".env", "PUBLIC_MOTTO=second-motto\n");
  await fork.build();
  const page = readFileSync(join(fork.outDir, "tag/all/index.html"), "utf8");
  expect(page).toContain(">two second-motto<");
});
