/** Which file an import leads to where a site overrides or copies a component, and what is said of one that replaces nothing. */
import { readFileSync, globSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { MOVED_COMPONENTS, type Moved } from "../../src/settings/moved.ts";
import { COMPONENTS } from "../../src/themes/components.ts";
import { idleOverrides } from "../../src/themes/idle-overrides.ts";
import { overrideOf } from "../../src/themes/overrides.ts";
import { themePlugin } from "../../src/themes/plugin.ts";
import { unreadFiles } from "../../src/themes/unread-files.ts";
import { ConfigurationError } from "../../src/contract/errors.ts";
import { emptyFiles, folderWith } from "../support/run/index.ts";

const ROOT = join(import.meta.dirname, "../..");
const SRC = join(ROOT, "src");
const PLACES = { packageRoot: ROOT, projectRoot: ROOT, site: null };

/** Another version of the table, for one test. */
const moves = MOVED_COMPONENTS as Record<string, Moved>;
afterEach(() => {
  for (const name of Object.keys(moves)) delete moves[name];
});

test("the table has every component and layout, and each promised one has the props that it names", () => {
  const files = globSync("{components,layouts}/**/*.astro", { cwd: SRC });
  expect(Object.keys(COMPONENTS).sort()).toEqual(
    files.map((file) => file.replaceAll("\\", "/").slice(0, -".astro".length)).sort(),
  );
  for (const [path, { use, props }] of Object.entries(COMPONENTS)) {
    expect(props === null, path).toBe(use === "private");
    if (props !== null)
      expect(readFileSync(join(SRC, `${path}.astro`), "utf8")).toContain(`type Props = ${props};`);
  }
});

describe("an import", () => {
  /** Where an import of a file of `site/` leads; the bundler finds what lies beside the importer. */
  const leadsTo = async (site: string, from: string, source: string): Promise<string | null> => {
    const { resolveId } = themePlugin("folio", { ...PLACES, site }, []);
    type Resolve = (this: object, source: string, importer: string) => Promise<string | null>;
    const resolve = (path: string, importer: string) => {
      const file = join(importer, "..", path);
      return Promise.resolve(globSync(file).length > 0 ? { id: file } : null);
    };
    return (resolveId as Resolve).call({ resolve }, source, join(site, from));
  };

  const site = folderWith(
    emptyFiles(
      "components/chrome/Masthead.astro",
      "components/slots/Logo.astro",
      "components/quote/Card.astro",
      "components/quote/own.ts",
      "pages/about.astro",
    ),
  );
  const masthead = "components/chrome/Masthead.astro";

  test.each([
    // A copy of the repository names TypeScript, and one of a published file JavaScript.
    [masthead, "../../site/index.ts", join(SRC, "site/index.ts")],
    [masthead, "../../site/index.js", join(SRC, "site/index.ts")],
    [`${masthead}?astro&type=script`, "../../islands/own-day.ts", join(SRC, "islands/own-day.ts")],
    [masthead, "../../styles/base.css", join(SRC, "styles/base.css")],
    ["pages/about.astro", "../site/index.ts", join(SRC, "site/index.ts")],
    // The override of what the original imports.
    [masthead, "../slots/Logo.astro", null],
    ["components/quote/Card.astro", "./By.astro", join(SRC, "components/quote/By.astro")],
    ["components/quote/Card.astro", "./own.ts", null],
    [masthead, "../../site/nothing.ts", null],
    ["styles.css", "./index.ts", null],
  ])("of a copy, in %s of %s", async (from, source, expected) => {
    expect(await leadsTo(site, from, source)).toBe(expected);
  });

  test("of a copy leads to the override of what lies beside the original", async () => {
    const mine = folderWith(emptyFiles("layouts/Page.astro", "components/chrome/Masthead.astro"));
    const found = await leadsTo(mine, "layouts/Page.astro", "../components/chrome/Colophon.astro");
    expect(found).toBe(join(SRC, "components/chrome/Colophon.astro"));
    const themed = folderWith(emptyFiles("themes/mine/theme.css", "layouts/Page.astro"));
    const theme = folderWith(emptyFiles("theme.css", "components/chrome/Colophon.astro"));
    const plugin = themePlugin(theme, { ...PLACES, site: themed }, []);
    type Resolve = (this: object, source: string, importer: string) => Promise<string | null>;
    expect(
      await (plugin.resolveId as Resolve).call(
        { resolve: () => Promise.resolve(null) },
        "../components/chrome/Colophon.astro",
        join(themed, "layouts/Page.astro"),
      ),
    ).toBe(join(theme, "components/chrome/Colophon.astro"));
  });

  test("of a public name that does not exist is refused with the nearest one", async () => {
    const promise = leadsTo(site, masthead, "astro-commonplace/components/found/Ask.astro");
    await expect(promise).rejects.toThrow(ConfigurationError);
    await expect(promise).rejects.toThrow(
      /^Cannot find astro-commonplace\/components\/found\/Ask\.astro, which .*Masthead\.astro imports: .*did you mean components\/reader\/Ask\.astro\?$/,
    );
  });

  test("of a public name that moved leads to the new place", async () => {
    moves["components/found/Ask.astro"] = { to: "components/reader/Ask.astro", since: "1.1" };
    expect(await leadsTo(site, masthead, "astro-commonplace/components/found/Ask.astro")).toBe(
      join(SRC, "components/reader/Ask.astro"),
    );
    moves["components/found/Ask.astro"] = { to: null, since: "1.1", advice: "use `Share`" };
    await expect(
      leadsTo(site, masthead, "astro-commonplace/components/found/Ask.astro"),
    ).rejects.toThrow(/imports: it is gone since 1\.1; use `Share`$/);
  });
});

test("an override at the old path of a component that moved replaces it still", () => {
  const moved = { "components/found/Ask.astro": { to: "components/reader/Ask.astro", since: "2" } };
  const site = folderWith(emptyFiles("components/found/Ask.astro"));
  const of = (importer: string): string | null =>
    overrideOf(join(SRC, "components/reader/Ask.astro"), importer, [site, SRC], { moved });
  const old = join(site, "components/found/Ask.astro");
  expect(of(join(SRC, "pages/index.astro"))).toBe(old);
  expect(of(old)).toBeNull();
});

test("unreadFiles() names what has an error in its name, and what is meant", () => {
  const unread = (...files: string[]): string[] => {
    const site = folderWith(emptyFiles(...files));
    const lines = unreadFiles(site).map((line) => line.slice(site.length + 1));
    return lines.map((line) => line.replace(" is not read; rename it to", " →")).sort();
  };
  expect(unread("corrections.yml")).toEqual(["corrections.yml → corrections.yaml"]);
  expect(unread("Author.yaml", "config.js", "message/de.json", "style.css")).toEqual([
    "Author.yaml → authors.yaml",
    "config.js → config.ts",
    "message → messages",
    "style.css → styles.css",
  ]);
  expect(unread("messages/de.jsn", "messages/fr.json")).toEqual(["messages/de.jsn → <code>.json"]);
  // What the site has for itself, or beside the file that is read.
  const own = ["quotes.csv", "README.md", "images/a.svg", "styles/a.css", ".env.example"];
  expect(unread(...own, "config.ts", "config.js")).toEqual([]);
});

describe("idleOverrides()", () => {
  const idle = (files: Readonly<Record<string, string>>): string[] => {
    const site = folderWith(files);
    return idleOverrides([site], [], SRC).map((line) => line.replaceAll("\\", "/"));
  };

  test("names what is misspelt or in the wrong folder, with the nearest path", () => {
    const files = {
      "components/chrome/Maasthead.astro": "",
      "components/Heading.astro": "",
      "components/quote/Card.astro": "",
      "layouts/Nonsense.astro": "",
      // The name of the one that should have been replaced is no import of this file.
      "pages/shop.astro":
        '---\nimport Heading from "astro-commonplace/components/chrome/Heading.astro";\n---\n',
    };
    const lines = idle(files).sort();
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(
      /components\/Heading\.astro replaces nothing: there is no such component; did you mean components\/chrome\/Heading\.astro\?$/,
    );
    expect(lines[1]).toMatch(/did you mean components\/chrome\/Masthead\.astro\?$/);
    expect(lines[2]).toMatch(
      /layouts\/Nonsense\.astro replaces nothing: .*docs\/components\.md lists/,
    );
  });

  test("names no component of the site's own that a page imports", () => {
    const files = {
      "components/Cup.astro": "",
      "components/mine/Mug.astro": "",
      "components/mine/Lid.astro": "",
      "components/mine/Pot.astro": "",
      "pages/shop.astro": '---\nimport Cup from "../components/Cup.astro";\n---\n',
      "pages/mugs.mdx": "import Mug from '../components/mine/Mug.astro'\n",
      "pages/lids.mdx": 'import Lid from "~/components/mine/Lid.astro"\n',
      "pages/pots.astro":
        '---\nimport Pot from "astro-commonplace/components/mine/Pot.astro";\n---\n',
    };
    expect(idle(files)).toEqual([]);
  });

  test("says where a component went, also where it is imported", () => {
    moves["components/found/Ask.astro"] = { to: "components/reader/Ask.astro", since: "1.1" };
    const lines = idle({
      "components/found/Ask.astro": "",
      "pages/x.astro": '---\nimport Ask from "../components/found/Ask.astro";\n---\n',
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/replaces nothing: since 1\.1 it is components\/reader\/Ask\.astro$/);
  });
});
