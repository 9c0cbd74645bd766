/** `astro-commonplace/harvest`: a program takes a proved copy of a service, without a site. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { ConfigurationError, NothingHarvested } from "../../src/contract/errors.ts";
import { harvest, quotes } from "../../src/harvest/library.ts";
import { run, tempFolder } from "../support/run/index.ts";
import { collectionOf, serviceOf } from "../support/service/index.ts";

async function allOf(stateDir: string) {
  const all = [];
  for await (const quote of quotes({ stateDir })) all.push(quote);
  return all;
}

test("harvest() publishes what the service has, and quotes() reads it as export prints it", async () => {
  const stateDir = join(tempFolder("library"), "state");
  const { url } = await serviceOf(collectionOf(60));
  const kinds = new Set<string>();
  const made = await harvest({
    ...{ baseUrl: url, stateDir, pageSize: 100 },
    report: ({ kind }) => kinds.add(kind),
  });
  expect(made.harvest.label).toBe("complete:proved");
  expect(kinds).toContain("window");
  const read = await allOf(stateDir);
  expect(read).toHaveLength(made.quotes);
  const exported = await run("export", ["--state", stateDir]);
  const lines = exported.stdout.trim().split("\n");
  expect(read).toEqual(lines.map((line) => JSON.parse(line) as unknown));
});

test("a selection is asked for, and a budget that is too small is told by the result", async () => {
  const stateDir = join(tempFolder("library"), "state");
  const { url } = await serviceOf(collectionOf(60));
  const some = await harvest({ baseUrl: url, stateDir, languages: ["fr"] });
  expect(Object.keys(some.languages)).toEqual(["fr"]);
  const other = join(tempFolder("library"), "state");
  const cut = await harvest({ baseUrl: url, stateDir: other, maxRequests: 2, pageSize: 10 });
  expect(cut).toMatchObject({ exitStatus: 75, snapshot: null });
  await expect(quotes({ stateDir: other }).next()).rejects.toThrow(NothingHarvested);
});

test("an option that is wrong is named, and a credential is not printed", async () => {
  const stateDir = tempFolder("library");
  const wrong = harvest({ baseUrl: "ftp://a.example", stateDir });
  await expect(wrong).rejects.toThrow(ConfigurationError);
  const token = "s3cr3t";
  const inClear = harvest({ baseUrl: "http://a.example", stateDir, token });
  await expect(inClear).rejects.toThrow(/^(?!.*s3cr3t).*https/);
});
