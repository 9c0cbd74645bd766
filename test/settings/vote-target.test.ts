import { expect, test } from "vitest";
import { readSettings, renderEnvironment } from "../../src/settings/settings.ts";
import type { Environment } from "../../src/settings/sources.ts";

const SERVICE = { QUOTES_BASE_URL: "https://api.example/" };
const SECRET = { QUOTES_TOKEN: "canary" };
const PUBLIC = { SITE_URL: "https://quotes.example" };

const target = (env: Environment) => readSettings({}, env).voteBaseUrl;

test.each<[string, Environment, string | null]>([
  ["the service itself when it needs no token", { ...SERVICE, ...PUBLIC }, "https://api.example"],
  ["nowhere when it needs one", { ...SERVICE, ...SECRET, ...PUBLIC }, null],
  [
    "a relay, token or not",
    { ...SERVICE, ...SECRET, VOTE_BASE_URL: "https://r.example/v/" },
    "https://r.example/v",
  ],
  ["nowhere when told so", { ...SERVICE, VOTE_BASE_URL: "off" }, null],
  ["the embedded service, for a site on this machine", {}, "http://127.0.0.1:8080"],
  ["the same by address", { SITE_URL: "http://127.0.0.1:4321" }, "http://127.0.0.1:8080"],
  ["nowhere for a site elsewhere that was made of the embedded collection", PUBLIC, null],
  ["where told, also then", { ...PUBLIC, VOTE_BASE_URL: "https://r.example" }, "https://r.example"],
])("voteTarget() is %s", (_, env, expected) => {
  expect(target(env)).toBe(expected);
});

test.each([SERVICE, { ...SERVICE, ...SECRET }, {}, PUBLIC])(
  "a process that renders comes to the same target from what it is told: %j",
  (env) => {
    const settings = readSettings({}, env);
    expect(target(renderEnvironment(settings))).toBe(settings.voteBaseUrl);
  },
);

test("hidden lists may be left out of the site's file, in whole or in part", () => {
  const hidden = readSettings({}, {}).site.hidden;
  expect(hidden).toEqual({ pks: [], authors: [], tags: [] });
  expect(readSettings({}, {}, { hidden: {} }).site.hidden).toEqual(hidden);
  const some = readSettings({}, {}, { hidden: { pks: [7] } }).site.hidden;
  expect(some).toEqual({ pks: [7], authors: [], tags: [] });
  expect(() => readSettings({}, {}, { hidden: { pks: ["7"] } })).toThrow(/hidden\.pks\.0/);
});
