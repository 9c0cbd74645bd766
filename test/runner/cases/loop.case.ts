import { spawn } from "node:child_process";
import { test } from "vitest";

test("never yields, and leaves a process", () => {
  const { pid } = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
  process.stdout.write(`left ${pid}\n`);
  for (;;);
});
