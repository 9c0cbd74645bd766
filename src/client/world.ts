/** The real clock, real chance and real sleep. */
import { setTimeout as delay } from "node:timers/promises";
import type { World } from "./options.ts";

/** A timer cannot hold more and would fire at once; whoever sleeps longer sleeps again. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const WORLD: World = {
  now: Date.now,
  random: Math.random,
  sleep: async (ms, signal) => {
    try {
      await delay(Math.min(ms, LONGEST_TIMER_MS), undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};
