/** Renders the site of the tests in a process of its own, which they may kill. Arguments: state, output, data. */
import { join } from "node:path";
import { renderSite } from "../../src/render/render.ts";

const [stateDir = "", outDir = "", data = ""] = process.argv.slice(2);

await renderSite({
  root: join(import.meta.dirname, "site"),
  stateDir,
  outDir,
  environment: {},
  places: { DATA: data },
  prepare: () => undefined,
  threads: 2,
  onProgress: (rendered) => process.stdout.write(`${rendered}\n`),
});
