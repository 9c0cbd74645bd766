import { spawn } from "node:child_process";
import { test } from "vitest";

test("never yields, and leaves a process", () => {
  const { pid } = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
  process.stdout.write(`left ${pid}\n`);
  // As a loop does, but without the processor that other tests need.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
