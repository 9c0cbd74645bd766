import { beforeAll, test } from "vitest";
import { startServer } from "../../support/run/index.ts";
import { forEver } from "./kills.ts";

beforeAll(async () => {
  const { pid } = await startServer("serve", ["--port", "0"]);
  process.kill(pid, "SIGKILL");
  await forEver();
});

test("comes after", () => undefined);
