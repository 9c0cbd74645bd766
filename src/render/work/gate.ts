/**
 * Where a thread begins: it waits for its turn, and says when the next may begin.
 *
 * Loading Astro is work, and the thread that makes the catalogue meanwhile is what everybody waits for: so one at a time
 * does it. That thread is busy and sends no message; a number in shared memory tells whose turn it is.
 */
import { workerData } from "node:worker_threads";
import type { ThreadData } from "./messages.ts";

const { turn, place } = workerData as ThreadData;
const turns = new Int32Array(turn);
for (let now = 0; now < place; now = Atomics.load(turns, 0)) Atomics.wait(turns, 0, now);
await import("./thread.ts");
Atomics.add(turns, 0, 1);
Atomics.notify(turns, 0);
