// @module-tag sized
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished, test } from "vitest";

test("passes before the time is spent", () => undefined);
test("is under way when the time is spent", async () => {
  onTestFinished(() => {
    void Promise.reject(new Error("It was still at work"));
    throw new Error("Its folder could not be removed");
  });
  await sleep(600_000);
});
test("does not begin", () => undefined);
