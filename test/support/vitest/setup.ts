/** Properties draw the same values on every run, so that a failure is the change's own; `SEED` draws others. */
import fc from "fast-check";
import { afterAll } from "vitest";
import { cleanUp } from "../run/temp-folder.ts";

fc.configureGlobal({ seed: Number(process.env["SEED"] ?? 20_261_121) });
afterAll(cleanUp);
