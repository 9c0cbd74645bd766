/**
 * Ends a test that uses a process as soon as that process dies: what the test waits for can no longer come.
 *
 * `vitest/runner.ts` races every test and every hook with the deaths that are reported here.
 */
import { setTimeout as sleep } from "node:timers/promises";

/** Its name is how a run of the tests knows a file that is tried once more. */
export class ProcessDied extends Error {
  override readonly name = "ProcessDied";
}

interface Deaths {
  died: ProcessDied | undefined;
  readonly waiting: Set<(error: ProcessDied) => void>;
  /** Look at processes that announce no end. */
  readonly probes: Set<() => Promise<unknown>>;
}

/** Of the whole process: a test may reset the modules, and the runner has its own. */
const held = globalThis as { commonplaceDeaths?: Deaths };
const deaths: Deaths = (held.commonplaceDeaths ??= {
  died: undefined,
  waiting: new Set(),
  probes: new Set(),
});

/** @param what died and how, such as "the browser ended" */
export function reportDeath(what: string): void {
  deaths.died ??= new ProcessDied(`A process that the test uses died: ${what}`);
  for (const end of deaths.waiting) end(deaths.died);
}

/** For the file that comes next. */
export function forgetDeaths(): void {
  deaths.died = undefined;
}

export function addProbe(probe: () => Promise<unknown>): () => void {
  deaths.probes.add(probe);
  return () => void deaths.probes.delete(probe);
}

/** The longest that a failed test waits for the report of the death that made it fail. */
const NEWS_MS = 500;

/**
 * Runs something until it ends or a process dies.
 *
 * @param graceMs what it may take after a death, as to close and remove
 * @throws {ProcessDied} also in the place of an error that the death caused
 */
export async function orDeath<T>(work: () => T | PromiseLike<T>, graceMs = 0): Promise<T> {
  if (graceMs === 0 && deaths.died !== undefined) throw deaths.died;
  const death = Promise.withResolvers<never>();
  const end = (error: ProcessDied): void => {
    setTimeout(death.reject, graceMs, error).unref();
  };
  deaths.waiting.add(end);
  if (deaths.died !== undefined) end(deaths.died);
  try {
    return await Promise.race([work(), death.promise]);
  } catch (error) {
    if (deaths.probes.size > 0) await Promise.race([probeAll(), sleep(NEWS_MS)]);
    if (deaths.died === undefined || error === deaths.died) throw error;
    throw new ProcessDied(deaths.died.message, { cause: error });
  } finally {
    deaths.waiting.delete(end);
  }
}

/** A dead browser does not answer at all, or its end is heard some turns later. */
async function probeAll(): Promise<void> {
  await Promise.allSettled([...deaths.probes].map((probe) => probe()));
  await sleep(NEWS_MS / 5);
}
