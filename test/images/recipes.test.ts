/** A new recipe makes the images of an old one anew: seen in a copy of the project whose recipe is another. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import type * as OgImages from "../../src/images/og/make-images.ts";
import { makeThumbnails } from "../../src/images/thumbnails.ts";
import { Database } from "../../src/sqlite/database.ts";
import { tempFolder } from "../support/run/index.ts";
import { openHost, serveFiles } from "./support/host.ts";
import { quarters } from "./support/made-pictures.ts";
import { quoteImage, studio } from "./support/og-images.ts";

const ROOT = join(import.meta.dirname, "../..");
const RECIPE = /^const RECIPE = "(\d+)";$/m;

/** The module that makes Open Graph images, of a copy with the next recipe. */
async function withNextRecipe(): Promise<typeof OgImages> {
  const copy = tempFolder("recipe");
  cpSync(join(ROOT, "src"), join(copy, "src"), { recursive: true });
  cpSync(join(ROOT, "package.json"), join(copy, "package.json"));
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"), "junction");
  const module = join(copy, "src/images/og/make-images.ts");
  const source = readFileSync(module, "utf8");
  expect(source).toMatch(RECIPE);
  writeFileSync(
    module,
    source.replace(RECIPE, (_, version: string) => `const RECIPE = "${Number(version) + 1}";`),
  );
  return (await import(pathToFileURL(module).href)) as typeof OgImages;
}

test("makeOgImages() draws each image anew once its recipe is another", async () => {
  const { run, options } = studio();
  const requests = [quoteImage("Be brief."), quoteImage("Sois bref.", "fr")];
  expect(await run(requests)).toMatchObject({ made: 2, reused: 0 });
  expect(await run(requests)).toMatchObject({ made: 0, reused: 2 });
  const { makeOgImages } = await withNextRecipe();
  expect(await makeOgImages(requests, options)).toMatchObject({ made: 2, reused: 0 });
});

test("makeThumbnails() encodes a picture anew that is kept in an old recipe, also for a second address", async () => {
  const folder = tempFolder("pictures");
  const picture = await quarters(40, 50).jpeg().toBuffer();
  const host = await openHost(
    serveFiles(
      new Map([
        ["/one.jpg", picture],
        ["/copy.jpg", picture],
      ]),
    ),
  );
  const cacheDir = join(folder, "thumbnails");
  const run = (...paths: string[]) =>
    makeThumbnails(
      paths.map((path) => host.url + path),
      {
        ...{ cacheDir, outDir: join(folder, "dist"), policy: "fallback", lanes: 1 },
        ownOrigin: host.url,
      },
    );
  expect(await run("/one.jpg")).toMatchObject({ made: 1, reused: 0 });
  expect(await run("/one.jpg")).toMatchObject({ made: 0, reused: 1 });
  {
    using index = new Database(join(cacheDir, "index-2.sqlite"));
    index.run("UPDATE pictures SET recipe = 'old'");
  }
  expect(await run("/one.jpg")).toMatchObject({ made: 1, reused: 0 });
  {
    using index = new Database(join(cacheDir, "index-2.sqlite"));
    index.run("UPDATE pictures SET recipe = 'old'");
  }
  expect(await run("/copy.jpg")).toMatchObject({ made: 1, reused: 0 });
});
