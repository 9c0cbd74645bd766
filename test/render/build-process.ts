/** Builds a site as `npm run render` does, in a process that tests may kill. Arguments: root, output. */
import { runAstro } from "../../src/commands/render-site.ts";
import { inProcess } from "../../src/commands/program.ts";
import { progressLines, type ShowProgress } from "../../src/commands/progress.ts";

const [root = "", outDir = ""] = process.argv.slice(2);
process.argv.splice(2);

await inProcess(false, async (signal) => {
  const lineOf = progressLines(false);
  const showProgress: ShowProgress = (progress) =>
    void process.stdout.write(`${lineOf(progress)}\n`);
  return { text: JSON.stringify(await runAstro(root, outDir, { signal, showProgress })) };
});
