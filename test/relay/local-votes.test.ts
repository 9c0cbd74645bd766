/** Dev and preview: votes on one's own machine. */
import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { withLocalVotes } from "../../src/commands/embedded.ts";
import { readSettings } from "../../src/settings/settings.ts";
import { freePort } from "../support/http/index.ts";

const SITE = "http://localhost:4321";

const vote = (address: string) =>
  fetch(`${address}/apiv1/upvote/`, {
    method: "POST",
    body: new URLSearchParams({ pk: "1" }),
    headers: { Origin: SITE },
  });

const HAS_IPV6 = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ address }) => address === "::1"),
);

test.each(["127.0.0.1", ...(HAS_IPV6 ? ["[::1]"] : [])])(
  "withLocalVotes() has the embedded service where the pages vote, at %s, readable for them",
  async (host) => {
    const address = `http://${host}:${await freePort()}`;
    const settings = readSettings({}, { VOTE_BASE_URL: address });
    await withLocalVotes(settings, SITE, async () => {
      const answer = await vote(address);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBe(SITE);
      expect(answer.headers.get("Connection")).toBe("close");
      // A second one finds the port taken, and goes on without.
      await withLocalVotes(settings, SITE, async () => void (await vote(address)));
    });
    await expect(vote(address)).rejects.toThrow();
  },
);

test.each([
  ["votes go elsewhere", { VOTE_BASE_URL: "https://relay.example" }],
  ["voting is off", { VOTE_BASE_URL: "off" }],
  ["there is a service", { QUOTES_BASE_URL: "http://127.0.0.1:1" }],
])("withLocalVotes() starts nothing where %s", async (_, env) => {
  const settings = readSettings({}, env);
  expect(await withLocalVotes(settings, SITE, () => Promise.resolve("done"))).toBe("done");
});
