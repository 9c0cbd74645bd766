/** A canary for a credential, and every fault at hand: nothing that is written or said holds it, in ten encodings. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type Finished, run, start, tempFolder } from "../support/run/index.ts";
import { CANARY, ENCODINGS, searchFolder, sightings } from "./canary.ts";
import { answer, collectionOf, serviceOf, wireQuote } from "../support/service/index.ts";
import { json, silence, text } from "../support/http/index.ts";
import { FAULTS, HEADERS } from "./echo.ts";

const env = (url: string): NodeJS.ProcessEnv => ({
  ...{ QUOTES_BASE_URL: url, QUOTES_TOKEN: CANARY },
  QUOTES_FIRST_WAIT: "2",
});

function expectNowhere(finished: Pick<Finished, "stdout" | "stderr">, folder: string): void {
  expect(sightings(Buffer.from(finished.stdout)), finished.stdout).toEqual([]);
  expect(sightings(Buffer.from(finished.stderr)), finished.stderr).toEqual([]);
  const { files, found } = searchFolder(folder);
  expect(found).toEqual([]);
  expect(files).toBeGreaterThan(0);
}

test.each(
  Object.entries(ENCODINGS).flatMap(([name, texts]) => texts.map((text) => [name, text] as const)),
)("the search would see it %s: %s", (name, text) => {
  const folder = tempFolder("planted");
  writeFileSync(join(folder, "file"), gzipSync(`x${text}y`));
  expect(searchFolder(folder).found).toContainEqual(expect.stringContaining(`: ${name}`));
});

test.each(Object.entries(FAULTS))("%s", async (name, { reply, status }) => {
  const service = await serviceOf(collectionOf(5));
  service.fault = () => reply;
  const state = tempFolder("canary");
  const json = Object.keys(FAULTS).indexOf(name) % 2 === 0 ? ["--json"] : [];
  const finished = await run("harvest", ["--state", state, ...json], env(service.url));
  expect(finished.status, finished.stderr).toBe(status);
  // The service was indeed told, and had something to echo.
  expect(service.journal[0]?.headers.authorization).toBe(`Token ${CANARY}`);
  expectNowhere(finished, state);
});

test("retries, waits, a later failure, and links that carry it", { tags: "long" }, async () => {
  const service = await serviceOf(collectionOf(60));
  service.fault = ({ number, url }) => {
    if (number === 1) return json({ errno: 500, errmsg: `down, Token ${CANARY}` }, 500, HEADERS);
    if (number === 2) return json({ detail: CANARY }, 429, { "retry-after": "0", ...HEADERS });
    const offset = Number(url.searchParams.get("offset"));
    if (offset > 30) return json({ errno: 401, errmsg: CANARY }, 401);
    const next = `${url.origin}${url.pathname}?offset=${offset + 20}&token=${encodeURIComponent(CANARY)}`;
    const results = Array.from({ length: 20 }, (_, index) =>
      wireQuote(offset + index + 1, {
        quote: `${CANARY} number ${index}`,
        author: CANARY,
        tags: [CANARY],
      }),
    );
    return url.pathname.endsWith("/quotes/") ? json({ next, previous: null, results }) : null;
  };
  const state = tempFolder("canary");
  const finished = await run("harvest", ["--state", state, "--json"], env(service.url));
  // After a good answer, a refusal is about its request and not about the credential.
  expect(finished.status, finished.stderr).toBe(75);
  expectNowhere(finished, state);
});

test("records that escape a part of it, which no search of the text would see", async () => {
  const service = await serviceOf([wireQuote(1, { quote: `so: ${CANARY}`, author: CANARY })]);
  service.fault = ({ url }) => {
    const body = JSON.stringify(answer(service.quotes, url, { cap: 20 }));
    const escaped = body.replaceAll("Qz/x", "\\u0051z\\u002fx");
    expect(sightings(Buffer.from(escaped))).toEqual([]);
    return text(escaped, 200, { "content-type": "application/json" });
  };
  const state = tempFolder("canary");
  const finished = await run("harvest", ["--state", state], env(service.url));
  expect(finished.status, finished.stderr).toBe(0);
  expectNowhere(finished, state);
});

test("a bug whose error holds it, thrown outside of any promise", async () => {
  const folder = tempFolder("canary");
  const [crash, now] = [join(folder, "crash.mjs"), join(folder, "now")];
  writeFileSync(
    crash,
    `import { existsSync } from "node:fs";
     const headers = { authorization: "Token " + process.env.QUOTES_TOKEN };
     setInterval(() => {
       if (!existsSync(${JSON.stringify(now)})) return;
       throw Object.assign(new Error("sent " + headers.authorization), { headers });
     }, 20).unref();`,
  );
  const service = await serviceOf(collectionOf(5));
  // It waits for an answer that never comes.
  service.fault = () => {
    writeFileSync(now, "");
    return silence;
  };
  const state = tempFolder("canary");
  const more = { ...env(service.url), NODE_OPTIONS: `--import=${crash}` };
  const finished = await start("harvest", ["--state", state], more).finished;
  expect(finished.status).toBe(1);
  expect(finished.stderr).toContain("Error: sent Token …");
  expectNowhere(finished, state);
});
