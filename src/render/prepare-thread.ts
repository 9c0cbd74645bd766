/** A thread that makes what the pages read while Vite bundles them. */
import { parentPort, workerData } from "node:worker_threads";
import { failureOf } from "./failure.ts";

const { module } = workerData as { readonly module: string };
try {
  await import(module);
} catch (error) {
  parentPort?.postMessage(failureOf(error));
}
