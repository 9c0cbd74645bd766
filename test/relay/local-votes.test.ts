/** Dev and preview: votes on one's own machine. */
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { expect, test } from "vitest";
import { withLocalVotes } from "../../src/commands/local-votes.ts";
import { readSettings } from "../../src/settings/settings.ts";
import { siteConfig } from "../../src/site.config.ts";

const SITE = "http://localhost:4321";

/** An address that was free a moment ago. */
async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}`;
}

const vote = (address: string) =>
  fetch(`${address}/apiv1/upvote/`, {
    method: "POST",
    body: new URLSearchParams({ pk: "1" }),
    headers: { Origin: SITE },
  });

test("withLocalVotes() has the embedded service where the pages vote, readable for them", async () => {
  const address = await freeAddress();
  const settings = readSettings({}, { VOTE_BASE_URL: address }, siteConfig);
  await withLocalVotes(settings, SITE, async () => {
    const answer = await vote(address);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe(SITE);
    expect(answer.headers.get("Connection")).toBe("close");
    // A second one finds the port taken, and goes on without.
    await withLocalVotes(settings, SITE, async () => void (await vote(address)));
  });
  await expect(vote(address)).rejects.toThrow();
});

test.each([
  ["votes go elsewhere", { VOTE_BASE_URL: "https://relay.example" }],
  ["voting is off", { VOTE_BASE_URL: "off" }],
  ["there is a service", { QUOTES_BASE_URL: "http://127.0.0.1:1" }],
])("withLocalVotes() starts nothing where %s", async (_, env) => {
  const settings = readSettings({}, env, siteConfig);
  expect(await withLocalVotes(settings, SITE, () => Promise.resolve("done"))).toBe("done");
});
