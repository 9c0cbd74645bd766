/** Where the attribution leads, in every page and file of a site with nothing set but its service. */
// @module-tag sized
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { attributionTarget, sourceName } from "../../src/site/attribution.ts";
import { COLLECTION_SOURCES } from "../../src/site/collection-sources.ts";
import { readSettings } from "../../src/settings/settings.ts";
import { buildSite, pagesIn, type BuiltSite } from "../support/built/index.ts";
import { openPublished } from "../../src/snapshot/index.ts";
import { run, tempFolder } from "../support/run/index.ts";
import { collectionOf, serviceOf } from "../support/service/index.ts";
import { drawn } from "../support/tier.ts";

const ROOT = join(import.meta.dirname, "../..");

const quotes = [
  { id: 1, author: "Anon", language: "en", likes: 20 },
  { id: 2, author: "فلان", language: "ar", text: "كلام", likes: 0 },
];
const origin = "https://api.service.example:8443";
const source = { host: "api.service.example:8443", pageSize: 5, origin };
const embedded = { host: "embedded", pageSize: 5 };
const SOURCES = "/about/#sources";

/** Addresses, names and versions that were once written in place of the site's own. */
const PLACEHOLDERS = /github\.com\/commonplace|the quotes service|commonplace\/0\.1/i;

const targetOf = (env: Record<string, string>, config = {}, from: typeof embedded = source) =>
  attributionTarget(readSettings({}, env, config), from);

test.each([
  ["https://quotes.example", "quotes.example"],
  ["https://api.quotes.example", "quotes.example"],
  ["https://www.api.quotes.example:8443", "quotes.example"],
  ["https://api.example", "api.example"],
  ["http://127.0.0.1:8080", "127.0.0.1"],
  ["http://[::1]:8080", "[::1]"],
  ["http://localhost:8080", "localhost"],
  ["https://xn--e1afmkfd.example", "xn--e1afmkfd.example"],
])("attributionTarget() leads to %s itself and calls it %s", (origin, name) => {
  const { host } = new URL(origin);
  const fact = { host: `${host}/path`, pageSize: 0, origin };
  expect(targetOf({}, {}, fact)).toEqual({ name, url: `${origin}/` });
  expect(sourceName(fact, undefined)).toBe(name);
});

test("attributionTarget() takes https for a snapshot that does not name the scheme", () => {
  const fact = { host: "quotes.example/api", pageSize: 0 };
  expect(targetOf({}, {}, fact)).toEqual({
    name: "quotes.example",
    url: "https://quotes.example/",
  });
});

const NAME = { ATTRIBUTION_NAME: "Ours" };
const URL_SET = { ATTRIBUTION_URL: "https://ours.example/x" };
const CONFIG = { attribution: { name: "Theirs", url: "https://theirs.example" } };
test.each([
  [
    "a variable before the config",
    { ...NAME, ...URL_SET },
    CONFIG,
    "Ours",
    URL_SET.ATTRIBUTION_URL,
  ],
  ["the config", {}, CONFIG, "Theirs", "https://theirs.example"],
  ["each key alone", NAME, CONFIG, "Ours", "https://theirs.example"],
  ["the host of an address without a name", URL_SET, {}, "ours.example", URL_SET.ATTRIBUTION_URL],
  ["the service of a name without an address", NAME, {}, "Ours", `${origin}/`],
])("attributionTarget() uses %s", (_, env, config, name, url) => {
  expect(targetOf(env, config)).toEqual({ name, url });
});

test("attributionTarget() is null on the paid plan, and the sources for the embedded collection", () => {
  expect(targetOf({ QUOTES_PLAN: "paid" })).toBeNull();
  expect(targetOf({}, {}, embedded)).toEqual({ name: null, url: SOURCES });
});

test("the sources of the embedded collection have the licences of their packages", () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const texts = readFileSync(join(ROOT, "src/service/texts.ts"), "utf8");
  const packages = COLLECTION_SOURCES.filter(({ name }) => name in dependencies);
  expect(packages).toHaveLength(COLLECTION_SOURCES.length - 1);
  for (const { name, licence, url } of packages) {
    expect(texts).toContain(`"${name}`);
    const folder = join(ROOT, "node_modules", name);
    const manifest = readFileSync(join(folder, "package.json"), "utf8");
    const { license, repository } = JSON.parse(manifest) as {
      license: string;
      repository: string | { url: string };
    };
    expect(licence, name).toBe(license);
    const where = typeof repository === "string" ? repository : repository.url;
    expect(`${where}.git`, name).toContain(new URL(url).pathname.slice(1));
  }
});

describe.each([
  ["a service", source, "/sub/", `${origin}/`, `${origin}/`, "service.example"],
  [
    "the embedded collection",
    embedded,
    "/sub/",
    `/sub${SOURCES}`,
    `https://s.example/sub${SOURCES}`,
    "Sources",
  ],
] as const)("a site of %s with nothing set", (_, fact, base, href, url, words) => {
  let site: BuiltSite;
  const variables = { SITE_BASE: base, SITE_URL: "https://s.example" };
  beforeAll(async () => {
    site = await buildSite({ quotes, facts: { source: fact } }, variables);
  });
  const read = (file: string) => readFileSync(join(site.outDir, file), "utf8");

  test("every page has one attribution, and it leads there", () => {
    const pages = pagesIn(site.outDir);
    expect(pages).toContain("404.html");
    expect(pages).toContain("embed/1/index.html");
    for (const page of pages) {
      const links = [...read(page).matchAll(/<a data-attribution href="([^"]*)"/g)];
      expect(
        links.map(([, link]) => link),
        page,
      ).toEqual([href]);
    }
  });

  test("feeds, calendar, API, oEmbed and the words of the EPUB lead there too", () => {
    const some = globSync(
      "{feed.xml,feed.json,**/*.ics,api/v1/tags.json,embed/1/oembed.json,favourites/index.html}",
      {
        cwd: site.outDir,
      },
    );
    expect(some.length).toBeGreaterThanOrEqual(5);
    // A long line of a calendar is folded.
    for (const file of some) expect(read(file).replaceAll("\r\n ", ""), file).toContain(url);
    expect(read("feed.xml")).toContain(words);
  });

  test("no file has a placeholder, and no page the port or path beside the link", () => {
    const files = globSync("**/*.{html,xml,json,ics,js,txt,webmanifest,svg}", { cwd: site.outDir });
    for (const file of files) expect(read(file), file).not.toMatch(PLACEHOLDERS);
    for (const page of ["index.html", "about/index.html"]) {
      expect(read(page).replaceAll(`href="${href}"`, ""), page).not.toMatch(/8443|>embedded</);
    }
  });

  test("the audit accepts it, and refuses it with another target", async () => {
    const audit = (env = {}) =>
      run("audit", ["--state", site.stateDir, "--out", site.outDir, "--quiet"], {
        ...variables,
        ...env,
      });
    expect(await audit()).toMatchObject({ status: 0 });
    const refused = await audit({ ATTRIBUTION_URL: "https://other.example/" });
    expect(refused.status).toBe(65);
    expect(refused.stdout).toContain("it does not lead to https://other.example/");
    const other = await audit({ QUOTES_BASE_URL: "https://elsewhere.example" });
    expect(other.stdout).toMatch(
      /^The quotes come from \S+, and the settings name elsewhere\.example: /,
    );
  });
});

// Night reader has components of its own; press has sheets alone.
test.each(drawn(["folio", "night-reader", "press"], 2))(
  "the page About in the theme %s names each source with its licence and link",
  { tags: "long" },
  async (theme) => {
    // In folio it is the site of the tests above.
    const site = await buildSite(
      { quotes, facts: { source: embedded } },
      { SITE_THEME: theme, SITE_BASE: "/sub/", SITE_URL: "https://s.example" },
    );
    const about = readFileSync(join(site.outDir, "about/index.html"), "utf8");
    const section = /<section id="sources">.*?<\/section>/s.exec(about)?.[0] ?? "";
    for (const { name, url, licence } of COLLECTION_SOURCES) {
      expect(section).toContain(`<a href="${url}">${name}</a> (${licence})`);
    }
  },
);

test("a harvest keeps the address of its service, and says when a credential turns votes off", async () => {
  const service = await serviceOf(collectionOf(30));
  const state = tempFolder("credit");
  const args = ["--base-url", service.url, "--state", state, "--quiet"];
  const plain = await run("harvest", args);
  expect(plain.stdout).not.toContain("Voting is off");
  {
    using snapshot = openPublished(state);
    expect(snapshot?.fact("source")).toMatchObject({ origin: service.url });
  }
  const withCredential = await run("harvest", args, { QUOTES_TOKEN: "a-credential-of-no-service" });
  expect(withCredential.stdout).toMatch(/^Voting is off, .* set VOTE_BASE_URL .*$/m);
  const asWanted = { QUOTES_TOKEN: "a-credential-of-no-service", VOTE_BASE_URL: "off" };
  expect((await run("harvest", args, asWanted)).stdout).not.toContain("Voting is off");
});
