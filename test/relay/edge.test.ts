/** The relay as edge hosts take it: one module, whose default export answers requests. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import edge from "../../scripts/relay-edge.ts";
import { SITE, VOTE_HEADERS } from "../support/relay.ts";
import { startVoteServer } from "../support/vote-server.ts";

test("the default export relays with the host's bindings, each client on its own quota", async () => {
  const service = await startVoteServer();
  const bindings = {
    QUOTES_BASE_URL: service.url,
    QUOTES_TOKEN: "canary",
    SITE_URL: SITE,
    RELAY_QUOTA: "1/60",
    RELAY_PROXIES: "1",
  };
  const vote = async (client: string) => {
    const headers = {
      ...VOTE_HEADERS,
      "Content-Length": "4",
      "X-Forwarded-For": `1.2.3.4, ${client}`,
    };
    const init = { method: "POST", body: "pk=7", headers };
    return (await edge.fetch(new Request("https://relay/apiv1/upvote/", init), bindings)).status;
  };
  expect(await vote("192.0.2.1")).toBe(200);
  expect(await vote("192.0.2.1")).toBe(429);
  expect(await vote("192.0.2.2")).toBe(200);
  expect(service.posts()).toEqual(["upvote 7", "upvote 7"]);
  expect(service.journal[0]?.headers.authorization).toBe("Token canary");
  await service.close();
});

/** Prints every module of Node's own that is asked for. */
const WATCH = `
  import { registerHooks } from "node:module";
  registerHooks({ resolve(name, context, next) {
    const found = next(name, context);
    if (found.url.startsWith("node:")) process.stdout.write(found.url + "\\n");
    return found;
  } });`;

test("it asks no more of Node than edge hosts have", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--import",
    `data:text/javascript,${encodeURIComponent(WATCH)}`,
    join(import.meta.dirname, "../../scripts/relay-edge.ts"),
  ]);
  const modules = ["cluster", "crypto", "path", "util"].map((name) => `node:${name}`);
  expect(new Set(stdout.trim().split("\n"))).toEqual(new Set(modules));
});
