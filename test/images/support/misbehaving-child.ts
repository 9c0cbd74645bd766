/** A child process that does what it is asked: answer, crash, hang, refuse, fail, linger, show its environment. */
import { PictureFailed } from "../../../src/images/failures.ts";

const DEEDS: Readonly<Record<string, () => unknown>> = {
  crash: () => process.kill(process.pid, "SIGSEGV"),
  exit: () => process.exit(3),
  // Without taking time from others, as a loop would.
  hang: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  refuse: () => {
    throw new PictureFailed("damaged", "it is torn");
  },
  fail: () => {
    throw new TypeError("a bug");
  },
  environment: () => Object.keys(process.env),
  pid: () => process.pid,
  linger: () => void process.on("SIGTERM", () => undefined),
};

export default async (job: string): Promise<unknown> => (await DEEDS[job]?.()) ?? job;
