/** Which folder of `src` may import which: data flows one way, from the client to the audit. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { expect, test } from "vitest";

const SRC = join(import.meta.dirname, "../src");

const PAGE_PARTS = [
  "contract",
  "i18n",
  "site",
  "layouts",
  "components",
  "islands",
  "styles",
  "themes",
  "settings",
];

/** Folder → the folders it may import from, besides itself. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  util: [],
  contract: ["util"],
  files: ["contract", "util"],
  sqlite: ["contract"],
  settings: ["contract"],
  http: ["contract"],
  service: ["contract", "sqlite", "http"],
  client: ["contract", "http"],
  snapshot: ["contract", "sqlite"],
  harvest: ["contract", "settings", "client", "snapshot"],
  plan: ["contract", "sqlite", "snapshot"],
  images: ["contract", "sqlite", "client"],
  render: ["contract", "sqlite"],
  search: ["contract", "sqlite"],
  audit: ["contract", "sqlite"],
  hosts: ["contract", "settings", "sqlite", "http", "plan", "site"],
  report: ["contract"],
  i18n: ["contract", "settings"],
  relay: ["contract", "http"],
  site: ["contract", "settings", "snapshot", "plan", "i18n", "images", "report"],
  islands: ["contract", "http", "i18n"],
  styles: [],
  components: PAGE_PARTS,
  layouts: PAGE_PARTS,
  themes: PAGE_PARTS,
  pages: PAGE_PARTS,
};

/** Every folder that imports `contract` may import these too. */
const BASICS = ["util", "files"];

const WIRING = ["commands"];

function importsOf(file: string): string[] {
  const source = readFileSync(join(SRC, file), "utf8");
  const found = source.matchAll(/(?:\bfrom|\bimport|@import)\s*\(?\s*["'](\.[^"']+)["']/g);
  return [...found].map(([, target = ""]) =>
    normalize(join(dirname(file), target.split("?")[0] ?? "")),
  );
}

const allowedFor = (folder: string): readonly string[] => {
  const allowed = ALLOWED[folder] ?? [];
  return allowed.includes("contract") ? [...allowed, ...BASICS] : allowed;
};

const top = (file: string): string => file.split("/")[0] ?? "";
const files = globSync("**/*.{ts,astro,css,mjs}", { cwd: SRC }).map((file) => normalize(file));

test("the layer rule names every folder of src", () => {
  const known = new Set([...Object.keys(ALLOWED), ...WIRING]);
  expect([...new Set(files.map(top))].filter((folder) => !known.has(folder))).toEqual([]);
});

test("a stage imports only the stages before it", () => {
  const breaches = files
    .filter((file) => !WIRING.includes(top(file)))
    .flatMap((file) =>
      importsOf(file)
        .filter((target) => top(target) !== top(file))
        .filter((target) => !allowedFor(top(file)).includes(top(target)))
        .map((target) => `${file} imports ${relative(".", target)}`),
    );
  expect(breaches).toEqual([]);
});

/** The stages of which others see `index.ts` alone. */
const WITH_INDEX = ["plan", "site"];

test("a stage is imported through its index.ts", () => {
  const breaches = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => WITH_INDEX.includes(top(target)) && top(target) !== top(file))
      .filter((target) => target !== join(top(target), "index.ts"))
      .map((target) => `${file} imports ${target}`),
  );
  expect(breaches).toEqual([]);
});

test("no import cycle, not even for a type", () => {
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
  expect(circles).toEqual([]);
});

/** Modules that are loaded with a file, and the packages that they import. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const source = readFileSync(join(SRC, file), "utf8");
  const imports = source.matchAll(/^(?:import|export) (?!type )(?:[^"';]* from )?"([^"]+)";$/gm);
  for (const [, target = ""] of imports) {
    if (target.startsWith(".")) loadedWith(normalize(join(dirname(file), target)), loaded);
    else loaded.add(target);
  }
  return loaded;
}

test.each(["main", "harvest", "export", "serve"])(
  "commands/%s.ts loads neither Astro nor what only a site needs",
  (name) => {
    const loaded = [...loadedWith(`commands/${name}.ts`)];
    expect(loaded.length).toBeGreaterThan(10);
    const heavy =
      /^(?:astro|sharp|vite|pagefind|lightningcss|htmlparser2|tinypool)(?:\/|$)|^render\//;
    expect(loaded.filter((file) => heavy.test(file))).toEqual([]);
  },
);

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
