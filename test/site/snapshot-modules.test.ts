/**
 * Modules that read the snapshot when they are imported: the faces cut to a few words, which are cut once, kept in the state
 * folder, and cut again where a file of them is damaged; and the pages of a language, whose cache keys change with each name.
 */
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { makeSnapshot, type QuoteDraft } from "../support/snapshot/index.ts";
import { tempFolder } from "../support/run/index.ts";

/** The faces by their files, or their sheets, as a build makes them that has just begun. */
async function build(ending: ".woff2" | ".css" = ".woff2"): Promise<Map<string, string>> {
  vi.resetModules();
  const { letterRoutes } = await import("../../src/layouts/letters.ts");
  const routes = await letterRoutes(ending);
  return new Map(
    routes.map(({ params, props }) => [
      params.file + ending,
      Buffer.from(props.content).toString("base64"),
    ]),
  );
}

test("a face is kept, taken from there, cut again when it is damaged, and forgotten when no page needs it", async () => {
  const stateDir = tempFolder();
  const folder = join(stateDir, "letters");
  const kept = (): Map<string, string> =>
    new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "base64")]));
  makeSnapshot({
    stateDir,
    stamp: "20261110T020300000Z",
    quotes: [
      { id: 1, language: "he", text: "שלום" },
      { id: 2, language: "en", text: "Peace" },
    ],
  });
  vi.stubEnv("STATE_DIR", stateDir);
  const first = await build();
  expect(first.size).toBeGreaterThan(0);
  expect(kept()).toEqual(new Map([...first].sort()));

  const [name = ""] = first.keys();
  const path = join(folder, name);
  const marked = Buffer.from(readFileSync(path));
  marked.writeUInt8(marked.readUInt8(marked.length - 1) ^ 1, marked.length - 1);
  writeFileSync(path, marked);
  expect((await build()).get(name)).toBe(marked.toString("base64"));

  truncateSync(path, 20);
  expect(await build()).toEqual(first);

  writeFileSync(join(folder, "hebrew-0000000000000000.woff2"), "of an earlier build");
  await build();
  expect(kept()).toEqual(new Map([...first].sort()));
});

test("the face of the home page has the capitals of authors for a theme, and says its weight, so that bold is drawn", async () => {
  const stateDir = tempFolder();
  makeSnapshot({
    stateDir,
    stamp: "20261110T020300000Z",
    quotes: [
      { id: 1, language: "ru", text: "Да", author: "чехов" },
      { id: 2, language: "tr", text: "Evet", author: "Yunus i" },
    ],
  });
  vi.stubEnv("STATE_DIR", stateDir);
  const sheets = [...(await build(".css"))].filter(([name]) => name.startsWith("home-"));
  const sheet = Buffer.from(sheets[0]?.[1] ?? "", "base64").toString();
  const capitals = Array.from("ЧЕХОВİ", (letter) => letter.codePointAt(0)?.toString(16) ?? "");
  expect(capitals.filter((point) => !sheet.includes(`U+${point}`))).toEqual([]);
  expect(new Set(sheet.match(/font-weight:[^;]+/g))).toEqual(new Set(["font-weight:400"]));
});

// A name that tsc does not follow: it knows no type of `.astro` files, `astro check` does.
const page: string = "../../src/pages/language/[slug]/[...page].astro";

interface Entry {
  readonly params: { readonly slug: string };
  readonly cacheKey: string;
}

async function keyOf(slug: string, quotes: readonly QuoteDraft[]): Promise<string | undefined> {
  vi.stubEnv("STATE_DIR", makeSnapshot({ quotes }).stateDir);
  vi.resetModules();
  const { getStaticPaths } = (await import(page)) as { getStaticPaths: () => Entry[] };
  return getStaticPaths().find(({ params }) => params.slug === slug)?.cacheKey;
}

test("a language whose code is spelled otherwise, and with it its name, changes the pages of the others", async () => {
  const withCode = (language: string): QuoteDraft[] => [{ id: 1 }, { id: 2, language }];
  const before = await keyOf("en", withCode("en-x-short"));
  expect(before).toBeDefined();
  expect(await keyOf("en", withCode("en-x-short"))).toBe(before);
  expect(await keyOf("en", withCode("EN-X-SHORT"))).not.toBe(before);
});
