import { expect, test } from "vitest";
import { ConfigurationError, UsageError } from "../../src/contract/errors.ts";
import { readSiteConfig } from "../../src/settings/site-config.ts";
import { readSettings, renderEnvironment } from "../../src/settings/settings.ts";
import { readCommandLine } from "../../src/commands/command-line.ts";
import type { Environment, Values } from "../../src/settings/sources.ts";

function readOptions(argv: readonly string[], command = "build"): Values {
  const request = readCommandLine([command, ...argv]);
  if (request.kind !== "run") throw new Error("the command line asks for no work");
  return request.options;
}

const settingsOf = (argv: readonly string[], env: Environment = {}, config: unknown = {}) =>
  readSettings(readOptions(argv), env, config);

test("readSettings() needs nothing and then means the embedded service", () => {
  const settings = settingsOf([]);
  expect(settings.service).toEqual({
    baseUrl: null,
    cutFrom: null,
    data: null,
    token: null,
    tokenScheme: "Token",
    plan: "free",
  });
  expect(settings.site).toEqual(readSiteConfig({}));
});

test("readSettings() lets an option win over its variable, and that over the file", () => {
  const env = { QUOTES_PAGE_SIZE: "20", SITE_BASE: "quotes", SITE_URL: "https://q.example/" };
  expect(settingsOf([], env).walk.pageSize).toBe(20);
  expect(settingsOf(["--page-size", "30"], env).walk.pageSize).toBe(30);
  expect(settingsOf([], env).site.base).toBe("/quotes/");
  expect(settingsOf([], env).site.url).toBe("https://q.example");
});

test("--allow-host takes a name with a port as the name", () => {
  const { allowHost } = readOptions(
    ["--allow-host", "a.example:8080, b.example,[2001:db8::1]:80,2001:db8::2"],
    "preview",
  );
  expect(allowHost).toEqual(["2001:db8::2", "[2001:db8::1]", "a.example", "b.example"]);
  for (const name of ["http://a.example", "a.example/x", "a.example:x", "u@a.example"])
    expect(() => readOptions(["--allow-host", name], "preview")).toThrow("expected names of hosts");
});

test("readSettings() sets the clock to a moment, from which it ticks", () => {
  const { now } = settingsOf([], { SITE_NOW: "2026-01-31T03:17:00Z" });
  const ahead = now() - Date.parse("2026-01-31T03:17:00Z");
  expect(ahead).toBeGreaterThanOrEqual(0);
  expect(ahead).toBeLessThan(60_000);
  expect(Math.abs(settingsOf([]).now() - Date.now())).toBeLessThan(60_000);
});

test("readSettings() takes an empty variable as absent, as CI files leave them", () => {
  expect(settingsOf([], { QUOTES_TOKEN: "", QUOTES_LANGUAGES: "" }).service.token).toBeNull();
});

test("readSettings() writes the languages of the contract as services do, and others as given", () => {
  const names = settingsOf([], { QUOTES_LANGUAGES: "Portuguese,עברית,english" });
  expect(names.selection.languages).toEqual(["en", "he", "pt"]);
  const { selection } = settingsOf([], { QUOTES_LANGUAGES: "AR, En,zh-Hant,XX" });
  expect(selection.languages).toEqual(["XX", "ar", "en", "zh-Hant"]);
});

test("readSettings() reads the same selection from names in another order, or named twice", () => {
  const listed = { QUOTES_LANGUAGES: "de,en", QUOTES_TAGS: "hope,love" };
  const other = { QUOTES_LANGUAGES: "EN,de,en", QUOTES_TAGS: "love, hope,love" };
  expect(settingsOf([], other).selection).toEqual(settingsOf([], listed).selection);
});

test.each([
  ["HTTPS://Quotes.Example/API/", "https://quotes.example/API"],
  ["https://quotes.example/api?", "https://quotes.example/api"],
  ["https://quotes.example/#", "https://quotes.example"],
  [" http://[::1]:8080// ", "http://[::1]:8080"],
])("readSettings() reads %j as %s, to which paths can be added", (address, meant) => {
  const settings = settingsOf([], { QUOTES_BASE_URL: address, VOTE_BASE_URL: address });
  expect(settings.service.baseUrl).toBe(meant);
  expect(settings.voteBaseUrl).toBe(meant);
});

test.each([
  ["QUOTES_PAGE_SIZE", "-1"],
  ["QUOTES_PAGE_SIZE", "1e3"],
  ["QUOTES_CONCURRENCY", "5"],
  ["QUOTES_PLAN", "Free"],
  ["ATTRIBUTION_NAME", " "],
  ["ATTRIBUTION_NAME", "x".repeat(81)],
  ["ATTRIBUTION_NAME", "two\nlines"],
  ["ATTRIBUTION_NAME", "\u202eelpmaxe"],
  ["ATTRIBUTION_URL", "javascript:alert(1)"],
  ["ATTRIBUTION_URL", "quotes.example"],
  ["ATTRIBUTION_URL", "https://user@quotes.example/"],
  ["ATTRIBUTION_URL", `https://quotes.example/${"x".repeat(2_000)}`],
  ["QUOTES_LANGUAGES", "en,pt_BR"],
  ["SITE_NOW", "tomorrow"],
  ["SITE_NOW", "1969-12-31T23:59:59Z"],
  ["SITE_NOW", "9999-12-31T23:59:59Z"],
  ["QUOTES_CURATED", "yes"],
  ["QUOTES_BASE_URL", "ftp://host/"],
  ["QUOTES_BASE_URL", "https://user:secret@host/"],
  ["QUOTES_TOKEN_SCHEME", "To ken"],
  ["SITE_BASE", "/a b/"],
  ["SITE_BASE", "/../quotes/"],
  ["SITE_BASE", "."],
  ["SITE_URL", "https://name.example/quotes"],
  ["SITE_URL", "https://name.example/?a=1"],
  ["VOTE_BASE_URL", "javascript:alert(1)"],
  ["RELAY_TOTAL", "500/2592000"],
  ["QUOTES_LANGUAGES", ","],
  ["QUOTES_TAGS", " , "],
])("readSettings() refuses %s=%s and names it", (name, value) => {
  expect(() => settingsOf([], { [name]: value })).toThrow(ConfigurationError);
  expect(() => settingsOf([], { [name]: value })).toThrow(name);
});

test.each([
  ["QUOTES_TOKEN", "can ary\n"],
  ["QUOTES_BASE_URL", "user:canary@host"],
  ["QUOTES_BASE_URL", "https:/user:can@ary@host/?key=canary"],
  ["QUOTES_BASE_URL", "https://host/?key=canary"],
  ["SITE_URL", "https://user:can/ary@host/"],
  ["ATTRIBUTION_URL", "https://user:canary@host/"],
])("readSettings() never repeats a secret, also when it is wrong: %s=%j", (name, value) => {
  const refused = () => settingsOf([], { [name]: value });
  expect(refused).toThrow(ConfigurationError);
  expect(refused).not.toThrow(/can/);
});

test("readOptions() takes no option for the folder of one before it, as of an empty variable", () => {
  expect(() => readOptions(["--out", "--quiet"])).toThrow(/^Cannot use --out: .*got "--quiet"$/);
  expect(readOptions(["--out", "./--quiet"])).toEqual({ out: "./--quiet" });
});

const TOKEN = { QUOTES_TOKEN: "canary" };

test.each([
  "http://quotes.example",
  "http://10.0.0.1",
  "http://127.0.0.1.quotes.example",
  "http://127.quotes.example",
  "http://localhost.quotes.example",
  "HTTP://quotes.example",
])("readSettings() sends no credential to %s in clear text, unless it is told to", (address) => {
  for (const argv of [["--base-url", address], []]) {
    const env = { ...TOKEN, QUOTES_BASE_URL: address };
    expect(() => settingsOf(argv, env)).toThrow(ConfigurationError);
    expect(() => settingsOf(argv, env)).toThrow("Cannot send the credential to");
    expect(settingsOf(argv, { ...env, QUOTES_ALLOW_HTTP: "1" }).service.token).toBe("canary");
  }
  expect(settingsOf(["--base-url", address]).service.token).toBeNull();
});

test.each([
  "https://quotes.example",
  "HTTPS://Quotes.example",
  "http://localhost:8080",
  "http://127.0.0.1:1",
  "http://127.1",
  "http://[::1]:1",
])("readSettings() takes a credential for %s", (address) => {
  expect(settingsOf(["--base-url", address], TOKEN).service.token).toBe("canary");
});

test.each([[["--page-size", "-1"]], [["--page-size=0"]], [["--shard", "3/2"]]])(
  "readOptions() refuses %j as usage",
  (argv) => {
    expect(() => readOptions(argv)).toThrow(UsageError);
  },
);

test("readOptions() never repeats a credential given as an option", () => {
  const refused = () => readOptions(["--token", "can ary"], "serve");
  expect(refused).toThrow(UsageError);
  expect(refused).not.toThrow(/can ary/);
});

test("readOptions() reads what the embedded service is told", () => {
  const argv = ["--quota", "5/60", "--port=0", "--cors", "http://localhost:1/"];
  expect(readOptions(argv, "serve")).toEqual({
    quota: { requests: 5, seconds: 60 },
    servePort: 0,
    cors: "http://localhost:1",
  });
});

test.each([
  "https://name.example/quotes",
  "https://user:pass@name.example",
  "https://name.example/#a",
])("readSettings() refuses %s as the address of a site in its file, too", (url) => {
  expect(() => settingsOf([], {}, { url })).toThrow(/^Cannot use url .*scheme and host alone/);
});

test("readSettings() names the field of the site's file that is wrong", () => {
  const config = { perPage: 0 };
  expect(() => settingsOf([], {}, config)).toThrow(/perPage of site\/config\.ts/);
});

test("renderEnvironment() carries no credential", () => {
  const settings = settingsOf([], { QUOTES_TOKEN: "canary" });
  expect(JSON.stringify(renderEnvironment(settings))).not.toContain("canary");
});

test("--host wins over SITE_HOST, and that over the file", () => {
  expect(settingsOf([]).site.host).toBe("none");
  expect(settingsOf([], {}, { host: "s3" }).site.host).toBe("s3");
  expect(settingsOf([], { SITE_HOST: "gitlab" }, { host: "s3" }).site.host).toBe("gitlab");
  expect(settingsOf(["--host", "vercel"], { SITE_HOST: "gitlab" }).site.host).toBe("vercel");
  expect(() => settingsOf(["--host", "127.0.0.1"])).toThrow(/^Cannot use --host: expected none/);
  expect(() => settingsOf([], { SITE_HOST: "geocities" })).toThrow(/^Cannot use SITE_HOST/);
});

test("the site's --host is no address of the relay, and the relay's is no host of the site", () => {
  expect(settingsOf(["--host", "netlify"]).relay.host).toBe("127.0.0.1");
  const relay = readSettings(readOptions(["--host", "0.0.0.0"], "relay"), {});
  expect([relay.relay.host, relay.site.host]).toEqual(["0.0.0.0", "none"]);
  const both = { RELAY_HOST: "10.0.0.1", SITE_HOST: "s3" };
  expect(settingsOf([], both)).toMatchObject({ relay: { host: "10.0.0.1" }, site: { host: "s3" } });
});

test("variables set what the advice for a host names, and a process that renders reads the same", () => {
  const settings = settingsOf([], {
    SITE_PER_PAGE: "80",
    SITE_QUOTE_PAGES: "0",
    SITE_EMBEDS: "7",
    SITE_CARDS: "10",
    SITE_MIN_TAG_QUOTES: "3",
  });
  expect(settings.site).toMatchObject({
    perPage: 80,
    quotePages: 0,
    embeds: 7,
    cards: 10,
    minTagQuotes: 3,
  });
  expect(settingsOf([], renderEnvironment(settings)).site).toEqual(settings.site);
  expect(() => settingsOf([], { SITE_PER_PAGE: "0" })).toThrow(/^Cannot use SITE_PER_PAGE/);
});

test("a host's limits are replaced by figures of the site's own, and by nothing else", () => {
  expect(settingsOf([], {}, { hostLimits: { files: 100, bytes: null } }).site.hostLimits).toEqual({
    files: 100,
    bytes: null,
  });
  expect(() => settingsOf([], {}, { hostLimits: { flies: 1 } })).toThrow(/hostLimits/);
});

const SERVICE = { QUOTES_BASE_URL: "https://api.example/" };
const PUBLIC = { SITE_URL: "https://quotes.example" };

const target = (env: Environment) => readSettings({}, env).voteBaseUrl;

test.each<[string, Environment, string | null]>([
  ["the service itself when it needs no token", { ...SERVICE, ...PUBLIC }, "https://api.example"],
  ["nowhere when it needs one", { ...SERVICE, ...TOKEN, ...PUBLIC }, null],
  [
    "a relay, token or not",
    { ...SERVICE, ...TOKEN, VOTE_BASE_URL: "https://r.example/v/" },
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

test.each([SERVICE, { ...SERVICE, ...TOKEN }, {}, PUBLIC])(
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

test.each([
  ["https://quotes.example/apiv1/quotes/?limit=5", "https://quotes.example/apiv1/quotes/"],
  ["https://quotes.example/v2/apiv1", "https://quotes.example/v2/apiv1"],
  ["https://quotes.example/v2/", null],
])("readSettings() keeps what was cut off %s", (address, cutFrom) => {
  const { service } = readSettings({}, { QUOTES_BASE_URL: address });
  expect(service.cutFrom).toBe(cutFrom);
  expect(service.baseUrl).not.toContain("apiv1");
});
