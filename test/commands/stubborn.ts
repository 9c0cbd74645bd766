/** A command that does not obey a signal: it says that it runs, and that it was asked to stop. */
import { inProcess } from "../../src/commands/program.ts";

setInterval(() => undefined, 60_000);
// It is not ended by the time that a command has: the signals alone are tried.
globalThis.setTimeout = (() => ({ unref: () => undefined })) as unknown as typeof setTimeout;

await inProcess(false, async (signal) => {
  process.stdout.write("running\n");
  signal.addEventListener("abort", () => process.stdout.write("stopped\n"));
  await new Promise(() => undefined);
  return {};
});
