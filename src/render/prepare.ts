/** Runs the module that prepares the data of the pages in a thread, which a command may start before it loads Astro. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { errorOf, failureOf } from "../contract/errors.ts";

/** Threads that no build has asked for yet, by the module's address. */
const started = new Map<string, Promise<void>>();

/** Starts a thread for the next build of this process. */
export function startPreparing(module: URL): void {
  started.set(module.href, prepare(module));
}

/** @returns a promise that rejects with the error that the module throws; a caller may await it later, or never */
export function prepared(module: URL): Promise<void> {
  const running = started.get(module.href) ?? prepare(module);
  started.delete(module.href);
  return running;
}

function prepare(module: URL): Promise<void> {
  const worker = new Worker(module, {
    // The default takes 50 MB more, and is no faster.
    resourceLimits: { maxYoungGenerationSizeMb: 16 },
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const done = once(worker, "exit").then(
    () => undefined,
    (copy: unknown) => {
      // A copy of the error, without its class.
      throw errorOf(failureOf(copy));
    },
  );
  // A build that fails earlier reports its own error.
  done.catch(() => undefined);
  return done;
}
