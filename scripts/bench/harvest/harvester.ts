/** `node harvester.ts ADDRESS STATE PAGE_SIZE CONNECTIONS`: one harvest in a process of its own. */
import { harvest } from "../../../src/harvest/index.ts";
import { readSettings } from "../../../src/settings/settings.ts";

const [, , address = "", state = "", pageSize = "", connections = ""] = process.argv;
const settings = readSettings(
  { QUOTES_BASE_URL: { url: address, cutFrom: null }, STATE_DIR: state },
  { QUOTES_PAGE_SIZE: pageSize, QUOTES_CONCURRENCY: connections },
);
const began = performance.now();
let walkSeconds = 0;
const { harvest: fact } = await harvest({
  settings,
  report: (event) => {
    if (event.kind !== "phase" || event.phase !== "tags") return;
    walkSeconds = (performance.now() - began) / 1_000;
  },
  signal: new AbortController().signal,
});
console.log(JSON.stringify({ walkSeconds, requests: fact.requests, label: fact.label }));
