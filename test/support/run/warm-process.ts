/**
 * Runs programs one after another in one process, which keeps the packages that they load: to load Astro costs three times as
 * much as to build a small site. All that is not a package is loaded anew for each program, as in a process of its own.
 */
import { createRequire, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { setEnvironmentData } from "node:worker_threads";
import type { Finished, Order } from "./warm.ts";

let runs = 0;

// It starts its program in the folder that is current when it is loaded: that of a test may be gone by then.
const astro = createRequire(import.meta.url).resolve("astro/package.json");
createRequire(astro)("esbuild");

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const isOwn = found.url.startsWith("file:") && !found.url.includes("/node_modules/");
    if (!isOwn || !context.conditions.includes("import")) return found;
    return { ...found, url: `${found.url}${found.url.includes("?") ? "&" : "?"}run=${runs}` };
  },
});

const streams = [process.stdout, process.stderr] as const;
const writes = streams.map((stream) => stream.write.bind(stream));
const { execPath } = process;
// A program that failed ends its process some time later.
process.exit = ((status?: number) => void (process.exitCode = status ?? process.exitCode)) as never;

process.on("message", (order: Order) => void run(order).then((done) => process.send?.(done)));
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));

async function run({ file, args, env, cwd }: Order): Promise<Finished> {
  runs++;
  const written = ["", ""];
  streams.forEach((stream, index) => {
    stream.write = (chunk: string | Uint8Array, ...more: unknown[]) => {
      written[index] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
      const done = more.at(-1);
      if (typeof done === "function") process.nextTick(done);
      return true;
    };
  });
  process.argv = [execPath, file, ...args];
  // Threads are given what this object holds, and not another in its place.
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const [name, value] of Object.entries(env))
    if (value !== undefined) process.env[name] = value;
  process.exitCode = undefined;
  process.chdir(cwd);
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    process.exitCode = 1;
    written[1] += error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const status = Number(process.exitCode ?? 0);
  streams.forEach((stream, index) => {
    stream.write = writes[index] as typeof stream.write;
    stream.removeAllListeners("error");
  });
  for (const event of ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK", "exit", "uncaughtException"]) {
    process.removeAllListeners(event);
  }
  setEnvironmentData("commonplace:site", undefined);
  return { status, signal: null, stdout: written[0] ?? "", stderr: written[1] ?? "" };
}
