/**
 * One night against a small collection, as a process of its own that can be killed anywhere: serves the collection
 * itself, harvests it and publishes.
 *
 * Arguments: state folder, number of the night. Each night's collection differs from the one before.
 */
import { harvest } from "../../../src/commands/harvest.ts";
import { Refusal } from "../../../src/contract/errors.ts";
import { readSettings } from "../../../src/settings/settings.ts";
import { answer } from "../../support/service/index.ts";
import { json, startFaultServer } from "../../support/http/index.ts";
import { collectionAt } from "./nights.ts";

const [, , state = "", night = "0"] = process.argv;
const quotes = collectionAt(Number(night));
const server = await startFaultServer(({ url }) => json(answer(quotes, url, { cap: 25 })));
// The host must be the same each night, though the port is not.
const settings = readSettings({ STATE_DIR: state }, {});
const how = { signal: new AbortController().signal, embeddedUrl: server.url };
try {
  const result = await harvest(settings, () => undefined, how);
  process.exitCode = result.exitStatus;
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.exitCode = error.exitStatus;
} finally {
  await server.close();
}
