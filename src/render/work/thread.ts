/**
 * A thread that renders pages and writes them itself. Requests are answered one after another, in the order they came.
 *
 * Vite bundles this module with the pages, so that both use one copy of Astro's runtime and nothing is left to compile
 * when a thread starts. Outside of a bundle it cannot be imported: `astro/app/entrypoint` is only there for Vite.
 */
import { parentPort, workerData } from "node:worker_threads";
import { createApp } from "astro/app/entrypoint";
import { Fragments } from "../fragments/fragments.ts";
import { AstroWay } from "../inside/astro-way.ts";
import { setFragmentStore } from "../inside/fragment.ts";
import { listPages } from "../inside/listing.ts";
import { createPageRenderer } from "../inside/page.ts";
import type { PageRenderer } from "../inside/types.ts";
import type { Answers, Batch, BatchDone, Reply, Request, ThreadData } from "./messages.ts";
import { failureOf } from "./failure.ts";
import { collectGarbage } from "../memory.ts";
import { Writer } from "./writer.ts";

const { outDir, verifyAll } = workerData as ThreadData;
const port = parentPort;
if (port === null) throw new Error("Cannot run: this module is a worker thread's");

const app = createApp({ streaming: false });
// Node loads these when they are first named: now, while the catalogue is being made, and not when pages wait.
void [Request, Response];
const say = (reply: Reply): void => port.postMessage(reply);
const sayDone = (value: Answers[Request["type"]]): void => {
  const reply: Reply = { type: "done", value };
  const recipes = value !== null && "recipes" in value ? value.recipes : null;
  port.postMessage(reply, recipes === null ? [] : [recipes.buffer]);
};
let open: { renderer: PageRenderer; writer: Writer } | undefined;

async function answer(request: Request): Promise<Answers[Request["type"]]> {
  switch (request.type) {
    case "list":
      return listPages(app);
    case "open": {
      const { fragments, fresh, fill } = request.resources;
      const store = new Fragments(fragments);
      const onSlow = (component: string, reason: string): void =>
        say({ type: "slow", component, reason });
      const options = { store, fill, verifyAll, onSlow };
      const renderer = createPageRenderer(new AstroWay(app), options, setFragmentStore);
      open = { renderer, writer: new Writer(outDir, store, fresh) };
      return null;
    }
    case "render":
      return render(request.batch);
  }
}

/** What is told of each page, while it grows. */
type Told = Omit<BatchDone, "recipes">;
type Collected = { [Name in keyof Told]: Told[Name][number][] };

async function render(batch: Batch): Promise<BatchDone> {
  if (open === undefined) throw new Error("Cannot render: the thread was not opened");
  const { renderer, writer } = open;
  const { route, paths, files, props, mtimes, digestsBefore } = batch;
  const done: Collected = {
    ...{ written: [], sizes: [], mtimes: [] },
    ...{ digests: [], checksums: [], places: [] },
  };
  for (const [index, path] of paths.entries()) {
    const pieces = await renderer.render({ route, path, props: props?.[index] ?? null });
    const digestBefore = digestsBefore[index] ?? null;
    const before = { mtime: mtimes[index] ?? null, digest: digestBefore };
    const page = writer.write(files[index] ?? "", pieces, before);
    const { written, size, mtime, digest, checksum, place } = page;
    done.written.push(written);
    done.sizes.push(size);
    done.mtimes.push(mtime);
    done.digests.push(digest);
    done.checksums.push(checksum);
    done.places.push(place);
  }
  return { ...done, recipes: writer.takeRecipes() };
}

let queue = Promise.resolve();
port.on("message", (request: Request) => {
  queue = queue.then(async () => {
    try {
      sayDone(await answer(request));
      if (request.type === "list") collectGarbage();
    } catch (error) {
      say({ type: "failed", ...failureOf(error) });
    }
  });
});
