/** The relay as edge hosts take it: one module, whose default export answers requests. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { SITE, startVoteServer, VOTE_HEADERS } from "../support/votes/index.ts";

// An instance keeps its relay for good.
beforeEach(() => vi.resetModules());

/** Votes from a client each, through the edge module in an instance of its own. @returns the statuses, in order */
async function votes(variables: Record<string, string>, clients: readonly string[]) {
  const service = await startVoteServer();
  onTestFinished(() => service.close());
  const { default: edge } = await import("../../scripts/relay-edge.ts");
  const bindings = {
    QUOTES_BASE_URL: service.url,
    QUOTES_TOKEN: "canary",
    SITE_URL: SITE,
    RELAY_QUOTA: "1/60",
    ...variables,
  };
  const statuses: number[] = [];
  for (const client of clients) {
    const forwarded = { "Content-Length": "4", "X-Forwarded-For": `1.2.3.4, ${client}` };
    const init = { method: "POST", body: "pk=7", headers: { ...VOTE_HEADERS, ...forwarded } };
    const request = new Request("https://relay/apiv1/upvote/", init);
    statuses.push((await edge.fetch(request, bindings)).status);
  }
  return { service, statuses };
}

test("the default export relays with the host's bindings, each client on its own quota", async () => {
  const clients = ["192.0.2.1", "192.0.2.1:4711", "192.0.2.2"];
  const { service, statuses } = await votes({ RELAY_PROXIES: "1" }, clients);
  expect(statuses).toEqual([200, 429, 200]);
  expect(service.posts()).toEqual(["upvote 7", "upvote 7"]);
  expect(service.journal[0]?.headers.authorization).toBe("Token canary");
});

test("without RELAY_PROXIES it trusts no header, and warns", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => said.mockRestore());
  const { statuses } = await votes({}, ["192.0.2.1", "192.0.2.2"]);
  expect(statuses).toEqual([200, 429]);
  expect(said).toHaveBeenCalledWith(expect.stringContaining("RELAY_PROXIES is 0"));
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
  const modules = ["cluster", "crypto", "path"].map((name) => `node:${name}`);
  expect(new Set(stdout.trim().split("\n"))).toEqual(new Set(modules));
});
