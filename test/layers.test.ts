/** Who may import whom. The stages share `contract` and nothing else; what joins them stands outside of them. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "../src");

const STAGE = ["contract", "sqlite"];
const PAGE_PARTS = [
  "contract",
  "i18n",
  "site",
  "layouts",
  "components",
  "islands",
  "styles",
  "themes",
];

/** Folder → the folders it may import from, besides itself. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  sqlite: ["contract"],
  settings: ["contract"],
  service: STAGE,
  client: STAGE,
  harvest: STAGE,
  snapshot: STAGE,
  plan: ["contract"],
  catalogue: STAGE,
  thumbnails: STAGE,
  release: STAGE,
  history: STAGE,
  i18n: ["contract"],
  relay: ["contract"],
  site: [
    "contract",
    "settings",
    "site.config.ts",
    "snapshot",
    "catalogue",
    "plan",
    "i18n",
    "thumbnails",
    "history",
  ],
  islands: ["contract", "i18n"],
  styles: [],
  components: PAGE_PARTS,
  layouts: PAGE_PARTS,
  themes: PAGE_PARTS,
  pages: PAGE_PARTS,
  "site.config.ts": ["settings"],
};

/** May import any stage: they are what joins them. */
const WIRING = ["commands"];

function importsOf(file: string): string[] {
  const source = readFileSync(join(SRC, file), "utf8");
  const found = source.matchAll(/(?:\bfrom|\bimport|@import)\s*\(?\s*["'](\.[^"']+)["']/g);
  return [...found].map(([, target = ""]) =>
    normalize(join(dirname(file), target.split("?")[0] ?? "")),
  );
}

const top = (file: string): string => file.split("/")[0] ?? "";
const files = globSync("**/*.{ts,astro,css,mjs}", { cwd: SRC }).map((file) => normalize(file));

test("every folder below src is known to the layer rule", () => {
  const known = new Set([...Object.keys(ALLOWED), ...WIRING]);
  expect([...new Set(files.map(top))].filter((folder) => !known.has(folder))).toEqual([]);
});

test("a stage imports the contract and nothing of another stage", () => {
  const breaches = files
    .filter((file) => !WIRING.includes(top(file)))
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => top(target) !== top(file))
        .filter((target) => !(ALLOWED[top(file)] ?? []).includes(top(target)))
        .map((target) => `${file} imports ${relative(".", target)}`),
    );
  expect(breaches).toEqual([]);
});

/** Files of circles that are known and still to be broken. */
const CIRCLES = /^(?:catalogue|release\/render)\//;

test("no file imports itself by way of others, be it only for a type", () => {
  const known = new Set(files);
  const done = new Set<string>();
  const circles: string[] = [];
  const follow = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(" → "));
    if (done.has(file)) return;
    done.add(file);
    for (const target of importsOf(file)) if (known.has(target)) follow(target, [...way, file]);
  };
  for (const file of files) follow(file, []);
  expect(circles.filter((circle) => !CIRCLES.test(circle))).toEqual([]);
});

test("SQLite is opened in one module", () => {
  const users = files.filter((file) =>
    /from "node:sqlite"/.test(readFileSync(join(SRC, file), "utf8")),
  );
  expect(users).toEqual(["sqlite/database.ts"]);
});

test("scripts are wiring: at most 60 lines each", () => {
  const scripts = join(SRC, "../scripts");
  const long = globSync("*.ts", { cwd: scripts }).filter(
    (file) => readFileSync(join(scripts, file), "utf8").split("\n").length > 61,
  );
  expect(long).toEqual([]);
});
