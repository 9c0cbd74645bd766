/** Which folder of `src` may import which: data flows one way, from the client to the audit. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { COMMAND_NAMES } from "../src/commands/commands.ts";

const SRC = join(import.meta.dirname, "../src");

const TYPES = "Quotes, windows, languages and failures have one type everywhere.";
const HELPERS = "Text, secrets and parts of work are handled in one way.";
const DISK = "Every write is atomic, and follows no link.";
const SQL = "SQLite is opened in one module.";
const WORDS = "Readers see the words of the interface in their language.";
const READS = "A page takes its data from the typed reads of the site.";
const LOOK = "A page brings the style sheets of what it shows.";
const ACTS = "What a reader does needs the script of its island.";

/**
 * The folders of `src` in the order of the data, each with the folders that it imports and the reason. An arrow points to a folder
 * before it, except between layouts and components, which are parts of one page.
 */
const ARROWS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  util: {},
  contract: { util: HELPERS },
  files: { contract: TYPES },
  sqlite: { contract: "A damaged database is a disk error.", util: HELPERS },
  http: { contract: "Failures have the contract's error body.", util: HELPERS },
  client: {
    contract: "An answer becomes quotes by the contract's decoder.",
    util: HELPERS,
    http: "How long a refusal asks to wait is read in one place.",
  },
  settings: {
    contract: TYPES,
    util: HELPERS,
    client: "A base address must not end in the path of the service's interface.",
  },
  service: {
    contract: "The embedded service answers in the contract's form.",
    util: HELPERS,
    sqlite: "The embedded collection is a database in memory.",
    http: "The embedded service is one user of the small server.",
    client: "The embedded service answers at the paths that the client requests.",
  },
  snapshot: { contract: TYPES, util: HELPERS, files: DISK, sqlite: SQL },
  harvest: {
    contract: TYPES,
    util: HELPERS,
    settings: "A run has options: the service, the selection, the budgets.",
    client: "The walk requests its windows through the client.",
    snapshot: "The walk keeps its evidence and publishes its quotes there.",
  },
  plan: {
    contract: TYPES,
    util: HELPERS,
    files: DISK,
    sqlite: SQL,
    snapshot: "The plan lists the quotes of the published snapshot.",
  },
  images: {
    contract: TYPES,
    util: HELPERS,
    files: DISK,
    sqlite: "An index of pictures says what need not be fetched again.",
    http: "A picture's host may ask to wait, as the service may.",
    snapshot: "Requests for pictures count in the ledger of the harvest.",
  },
  report: { contract: TYPES, util: HELPERS, files: DISK },
  i18n: {
    contract: TYPES,
    util: HELPERS,
    settings: "The folder of a site may bring messages of its own.",
  },
  site: {
    contract: TYPES,
    util: HELPERS,
    files: DISK,
    client: "The forms of a vote lead to the path that the service's interface names.",
    settings: "Titles, addresses and limits of a site are settings.",
    snapshot: "A page reads the text of its quotes by their ids.",
    plan: "A page shows what the plan put on it.",
    i18n: WORDS,
    images: "A card shows the thumbnail that was made.",
    report: "The page about the build shows its history.",
  },
  styles: {},
  islands: {
    contract: "A script addresses the same files of the API as the site.",
    util: HELPERS,
    http: "A vote waits as long as the service asks.",
    i18n: WORDS,
    styles: "What a script alone shows brings its rules with it.",
  },
  layouts: {
    contract: TYPES,
    util: HELPERS,
    files: DISK,
    i18n: WORDS,
    site: READS,
    styles: LOOK,
    components: "A layout is made of components.",
  },
  components: {
    contract: TYPES,
    util: HELPERS,
    i18n: WORDS,
    site: READS,
    islands: ACTS,
    styles: LOOK,
    layouts: "A component shortens titles and keeps the colour scheme as its layout does.",
  },
  pages: {
    contract: TYPES,
    i18n: WORDS,
    site: READS,
    islands: ACTS,
    styles: LOOK,
    layouts: "A route has a layout.",
    components: "A route shows components.",
  },
  themes: {
    contract: TYPES,
    util: HELPERS,
    files: DISK,
    settings: "The folder of a site holds its configuration.",
    i18n: "The folder of a site may bring messages of its own.",
    components: "A theme may wrap a component that it replaces.",
  },
  relay: {
    contract: TYPES,
    util: HELPERS,
    http: "The relay waits as long as the service asks.",
    client: "A vote goes to the path that the service's interface names.",
  },
  render: { contract: TYPES, util: HELPERS, files: DISK, sqlite: SQL },
  hosts: {
    contract: TYPES,
    util: HELPERS,
    files: DISK,
    settings: "A site names its host, and may replace its limits.",
    sqlite: "Addresses of earlier nights are kept for redirects.",
    http: "The preview answers names of this machine alone.",
    plan: "The estimate of a site is compared with the limits.",
    site: "Redirects lead to the pages that a site has.",
  },
  search: { contract: TYPES, util: HELPERS, files: DISK },
  audit: {
    contract: TYPES,
    util: HELPERS,
    files: DISK,
    sqlite: "Files that passed need not be read again.",
  },
};

/** The commands join the stages, so they may import all of them. */
const WIRING = "commands";

function importsOf(file: string): string[] {
  const source = readFileSync(join(SRC, file), "utf8");
  const found = source.matchAll(/(?:\bfrom|\bimport|@import)\s*\(?\s*["'](\.[^"']+)["']/g);
  return [...found].map(([, target = ""]) =>
    normalize(join(dirname(file), target.split("?")[0] ?? "")),
  );
}

const top = (file: string): string => file.split("/")[0] ?? "";
const files = globSync("**/*.{ts,astro,css,mjs}", { cwd: SRC }).map((file) => normalize(file));

/** Every import of another folder of `src`. */
const crossings = files.flatMap((file) =>
  importsOf(file)
    .filter((target) => !target.startsWith("..") && top(target) !== top(file))
    .map((target) => ({ file, from: top(file), to: top(target), target })),
);

test("the layer rule names every folder of src", () => {
  const known = new Set([...Object.keys(ARROWS), WIRING]);
  expect([...new Set(files.map(top))].filter((folder) => !known.has(folder))).toEqual([]);
});

test("a stage imports only what its arrows allow", () => {
  const breaches = crossings
    .filter(({ from, to }) => from !== WIRING && ARROWS[from]?.[to] === undefined)
    .map(({ file, target }) => `${file} imports ${target}`);
  expect(breaches).toEqual([]);
});

test("every arrow is used, and its reason is a sentence", () => {
  const used = new Set(crossings.map(({ from, to }) => `${from} → ${to}`));
  const arrows = Object.entries(ARROWS).flatMap(([from, targets]) =>
    Object.entries(targets).map(([to, reason]) => ({ arrow: `${from} → ${to}`, reason })),
  );
  expect(arrows.filter(({ arrow }) => !used.has(arrow))).toEqual([]);
  expect(arrows.filter(({ reason }) => !/^[A-Z]\S* .{10,}\.$/.test(reason))).toEqual([]);
});

test("no arrow points against the stream", () => {
  const order = Object.keys(ARROWS);
  const against = Object.entries(ARROWS).flatMap(([from, targets]) =>
    Object.keys(targets)
      .filter((to) => order.indexOf(to) > order.indexOf(from))
      .map((to) => `${from} → ${to}`),
  );
  expect(against).toEqual(["layouts → components"]);
});

/** The stages of which others see `index.ts` alone. */
const WITH_INDEX = ["client", "snapshot", "harvest", "plan", "site"];

/** A door of its own, since settings, pages and the relay need the interface of the service without a connection to one. */
const SERVICE_API = "client/service-api.ts";

test("a stage is imported through its index.ts", () => {
  const breaches = crossings
    .filter(({ to, target }) => WITH_INDEX.includes(to) && target !== join(to, "index.ts"))
    .filter(({ target }) => target !== SERVICE_API)
    .map(({ file, target }) => `${file} imports ${target}`);
  expect(breaches).toEqual([]);
});

test("the paths of the service are in one module", () => {
  const root = "apiv" + "1";
  const named = files.filter((file) => readFileSync(join(SRC, file), "utf8").includes(root));
  expect(named).toEqual([SERVICE_API]);
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

test.each(COMMAND_NAMES)("commands/%s.ts joins stages: at most 60 lines", (name) => {
  const source = readFileSync(join(SRC, `commands/${name}.ts`), "utf8");
  expect(source.split("\n").length).toBeLessThanOrEqual(61);
});
