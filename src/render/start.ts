/** Gets everything ready that rendering needs, side by side: the bundle, the threads, and what the pages read. */
import { availableParallelism } from "node:os";
import { bundleOf, makeBundle, takeUp, type Bundle } from "./bundle/bundle.ts";
import { collectGarbage, expectShortLives } from "./memory.ts";
import type { RenderOptions } from "./options.ts";
import { Pool } from "./work/pool.ts";

export interface Started {
  readonly bundle: Bundle;
  readonly pool: Pool;
}

/** What is done with a bundle while the first thread imports it. */
export interface Meanwhile {
  /** @returns whether there is something to do, for which the processors are wanted */
  look(bundle: Bundle): boolean;
  begin(): void;
}

/** @param onSlow told of each route that goes Astro's own, slower way, and why */
export async function start(
  options: RenderOptions,
  onSlow: (component: string, reason: string) => void,
  meanwhile: Meanwhile,
): Promise<Started> {
  expectShortLives();
  const bundle = bundleOf(options);
  const isKept = takeUp(bundle, options);
  if (!isKept) await make(bundle, options);
  const pool = open();
  try {
    meanwhile.begin();
    if (isKept) {
      options.prepare();
      collectGarbage();
    }
  } catch (error) {
    await pool.close();
    throw error;
  }
  return { bundle, pool };

  function open(): Pool {
    const { outDir, verifyAll = false, threads = availableParallelism() } = options;
    const env = { ...process.env, ...options.environment, ...options.places };
    const atOnce = meanwhile.look(bundle) ? 1 : threads;
    return new Pool({ module: bundle.thread, outDir, verifyAll, threads, atOnce, env, onSlow });
  }
}

/** The bundle is made by another process, so what blocks this one meanwhile costs no time. */
async function make(bundle: Bundle, options: RenderOptions): Promise<void> {
  const giveUp = new AbortController();
  const signals = [giveUp.signal, ...(options.signal === undefined ? [] : [options.signal])];
  const making = makeBundle(bundle, { ...options, signal: AbortSignal.any(signals) });
  try {
    options.prepare();
  } catch (error) {
    giveUp.abort();
    await making.catch(() => undefined);
    throw error;
  }
  collectGarbage();
  await making;
}
