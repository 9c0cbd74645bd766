/** A site of its own for the tests of the renderer: a little of everything that pages do. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { defineConfig } from "astro/config";

// The site is copied before it is built: `REPOSITORY` says where the renderer is, `BULK` which routes opt in.
const { REPOSITORY = "", BULK = "[]", STATE_DIR = "", SITE_SHARD } = process.env;
const { renderPages } = await import(
  pathToFileURL(join(REPOSITORY, "src/render/integration.ts")).href
);
const [index, count] = SITE_SHARD?.split("/").map(Number) ?? [];

export default defineConfig({
  site: "https://quotes.example",
  base: "/book/",
  output: "static",
  trailingSlash: "always",
  build: { format: "directory" },
  integrations: [
    renderPages({
      bulk: JSON.parse(BULK),
      stateDir: STATE_DIR,
      key: "",
      origin: process.env["ORIGIN"],
      memo: new URL("./src/byline-memo.ts", import.meta.url),
      shard: index === undefined || count === undefined ? null : { index, count },
      threads: 2,
    }),
  ],
  prerenderConflictBehavior: "error",
  security: { csp: true },
  fetchFile: null,
  session: false,
  devToolbar: { enabled: false },
});
