// @module-tag sized
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "vitest";

test("passes before the time is spent", () => undefined);
test("is under way when the time is spent", () => sleep(600_000));
test("does not begin", () => undefined);
