import { planVersion } from "../../../src/plan/index.ts";
import { renderPages } from "../../../src/render/integration.ts";

/** @param {string} path */
const file = (path) => new URL(path, import.meta.url);

const shard = process.env["SITE_SHARD"]?.split("/");

/**
 * The bare site that `npm run bench` compares with template strings.
 *
 * `defineConfig` is not used: to import `astro/config` takes a tenth of a second.
 *
 * @type {import("astro").AstroUserConfig}
 */
export default {
  site: "https://quotes.example.org",
  output: "static",
  integrations: [
    renderPages({
      bulk: ["/tag/[slug]/[...page]", "/author/[slug]/[...page]", "/language/[slug]/[...page]"],
      stateDir: process.env["STATE_DIR"] ?? ".commonplace",
      prepare: file("./src/site/prepare.ts"),
      memo: file("./src/site/card-memo.ts"),
      shard: shard === undefined ? null : { index: Number(shard[0]), count: Number(shard[1]) },
    }),
  ],
  logger: { entrypoint: file("../../../src/site/astro-logger.mjs"), config: { info: false } },
  build: { format: "directory", concurrency: 16 },
  trailingSlash: "always",
  prerenderConflictBehavior: "error",
  fetchFile: null,
  session: false,
  devToolbar: { enabled: false },
  vite: { define: { __PLAN_VERSION__: JSON.stringify(planVersion()) } },
};
