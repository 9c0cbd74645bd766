/** The embedded service, which serves a corpus to the program that is measured. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

const PROGRAM = join(import.meta.dirname, "../commonplace.mjs");

/**
 * Serves a file of quotes in a process of its own while `work` runs.
 *
 * @param port "0" for a free one
 */
export async function withService<T>(
  data: string,
  port: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const args = [PROGRAM, "serve", "--data", data, "--port", port, "--quiet"];
  const service = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    for await (const line of createInterface({ input: service.stdout })) {
      const url = / at (http\S+)\/$/.exec(line)?.[1];
      if (url !== undefined) return await work(url);
    }
    throw new Error(`Cannot measure: the service ended before it served ${data}`);
  } finally {
    if (service.exitCode === null) {
      service.kill();
      await once(service, "exit");
    }
  }
}
