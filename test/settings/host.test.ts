/** The host of the site, and the relay's `--host`, which is another. */
import { expect, test } from "vitest";
import { readSettings, renderEnvironment } from "../../src/settings/settings.ts";
import { readCommandLine } from "../../src/commands/command-line.ts";
import type { Environment, Values } from "../../src/settings/sources.ts";

function readOptions(argv: readonly string[], command = "build"): Values {
  const request = readCommandLine([command, ...argv]);
  if (request.kind !== "run") throw new Error("the command line asks for no work");
  return request.options;
}

const settingsOf = (argv: readonly string[], env: Environment = {}, config: object = {}) =>
  readSettings(readOptions(argv), env, config);

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

test("what --fit turns can be told by the environment, and pages hear of it", () => {
  const settings = settingsOf(["--fit"], {
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
  expect(settings.site.fit).toBe(true);
  expect(settingsOf([], renderEnvironment(settings)).site).toEqual(settings.site);
  expect(settingsOf([], { SITE_FIT: "1" }).site.fit).toBe(true);
  expect(() => settingsOf([], { SITE_PER_PAGE: "0" })).toThrow(/^Cannot use SITE_PER_PAGE/);
});

test("a host's limits are replaced by figures of the site's own, and by nothing else", () => {
  expect(settingsOf([], {}, { hostLimits: { files: 100, bytes: null } }).site.hostLimits).toEqual({
    files: 100,
    bytes: null,
  });
  expect(() => settingsOf([], {}, { hostLimits: { flies: 1 } })).toThrow(/hostLimits/);
});
