/** A command that does not obey a signal: it says that it runs and then waits for a minute. */
import { inProcess } from "../../src/commands/program.ts";

await inProcess(false, async () => {
  process.stdout.write("running\n");
  await new Promise((resolve) => setTimeout(resolve, 60_000));
  return {};
});
