/**
 * Which names a query means, over HTTP from the files that a browser loads: of a small site, of 20,000 names, and of the real
 * ones where REAL_QUOTES names their folder.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { costOf, distance, findNames } from "../../../src/islands/search/names.ts";
import { makeLists, type NamedListing } from "../../../src/search/lists.ts";
import { fold, searchedWords } from "../../../src/util/fold.ts";
import { countNames, realQuotes } from "../../support/snapshot/index.ts";

/** Query → the name that it means. */
const MISSPELT: Readonly<Record<string, string>> = {
  nietzche: "Friedrich Nietzsche",
  "friedrich neitzsche": "Friedrich Nietzsche",
  einstien: "Albert Einstein",
  "albert enistein": "Albert Einstein",
  Shakspeare: "William Shakespeare",
  "wiliam shakespear": "William Shakespeare",
  "soren kierkegaard": "Søren Kierkegaard",
  kierkegard: "Søren Kierkegaard",
  coeur: "Cœur",
  dostoevski: "Fyodor Dostoevsky",
  dostoyevsky: "Fyodor Dostoevsky",
  ghandi: "Mahatma Gandhi",
  "mahatma ganhdi": "Mahatma Gandhi",
  "ocsar wilde": "Oscar Wilde",
  "oscar widle": "Oscar Wilde",
  conficius: "Confucius",
  aristotel: "Aristotle",
  "mark twian": "Mark Twain",
  "makr twain": "Mark Twain",
  emersen: "Ralph Waldo Emerson",
  "waldo emreson": "Ralph Waldo Emerson",
  voltiare: "Voltaire",
  "blaise pacsal": "Blaise Pascal",
  "fransis bacon": "Francis Bacon",
  "benjamin frnaklin": "Benjamin Franklin",
  churchil: "Winston Churchill",
  "winston chruchill": "Winston Churchill",
  schopenhaur: "Arthur Schopenhauer",
  "arthur shopenhauer": "Arthur Schopenhauer",
  "emily dickenson": "Emily Dickinson",
  tolstoi: "Leo Tolstoy",
  "lao tsu": "Lao Tzu",
  motagne: "Montaigne",
  moliere: "Molière",
  "marcus aurelias": "Marcus Aurelius",
  socartes: "Socrates",
  rousseua: "Jean-Jacques Rousseau",
  "jean jaques rousseau": "Jean-Jacques Rousseau",
  vangogh: "Vincent van Gogh",
  "толстои лев": "Лев Толстой",
};
const FAMOUS = [...new Set(Object.values(MISSPELT))];

const listing = (name: string, quotes = 5): NamedListing => ({
  name,
  quotes,
  slug: fold(name).replaceAll(" ", "-"),
});

/** Names that nobody has, of syllables, always the same. */
function syllabic(many: number): string[] {
  const syllables =
    "ba be bi cha da do el fi ga gra ha in jo ka ko la le ma mi na no or pa ra ri sa she so ta te ul va wi za".split(
      " ",
    );
  let seed = 7;
  const draw = (): string =>
    syllables[(seed = (seed * 48_271) % 2_147_483_647) % syllables.length] ?? "";
  const word = (): string => {
    const text = Array.from({ length: 2 + (seed % 3) }, draw).join("");
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
  const names = new Set<string>();
  while (names.size < many) names.add(`${word()} ${word()}`);
  return [...names];
}

let loaded: { file: string; bytes: number }[] = [];
const servers: Server[] = [];
/** Whether the servers answer nothing but 503. */
let down = false;

/** Serves the lists of a site, and gives the address of its index. */
async function serve(
  author: readonly NamedListing[],
  tag: readonly NamedListing[],
): Promise<string> {
  const files = makeLists({ author, tag }, new Map());
  const server = createServer((request, answer) => {
    const file = request.url?.split("/_lists/")[1] ?? "";
    const content = files.get(file);
    if (content === undefined || down) return answer.writeHead(down ? 503 : 404).end();
    loaded.push({ file, bytes: gzipSync(content).length });
    return answer.end(content);
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/pagefind/`;
}

let small: string;
let large: string;

beforeAll(async () => {
  const famous = FAMOUS.map((name, index) => listing(name, 100 - index));
  small = await serve(
    [
      ...famous,
      listing("Carl Einstein", 1),
      { name: "Con", slug: "con-1a2b3c4d", quotes: 2 },
      listing("?", 3),
    ],
    [
      listing("love", 70),
      listing("lovecraft", 900),
      listing("self-help", 4),
      listing("dickinson", 1),
    ],
  );
  const known = new Set(FAMOUS.map(fold));
  const others = syllabic(20_000).filter((name) => !known.has(fold(name)));
  const rare = [listing("Ghandi", 2), listing("Mahatma Ghandi", 4)];
  const invented = others.map((name) => listing(name));
  large = await serve([...famous, ...rare, ...invented], [listing("love", 70)]);
});

afterAll(() => {
  for (const server of servers) server.close();
});

const found = async (text: string, folder: string): Promise<string[]> =>
  (await findNames(text, folder)).map(({ name }) => name);

test("names come with their kind, count and address, the exact one and the largest first", async () => {
  expect(await findNames("einstein", small)).toEqual([
    {
      name: "Albert Einstein",
      kind: "author",
      quotes: expect.any(Number) as number,
      path: "/author/albert-einstein/",
      about: "",
      isExact: false,
    },
    {
      name: "Carl Einstein",
      kind: "author",
      quotes: 1,
      path: "/author/carl-einstein/",
      about: "",
      isExact: false,
    },
  ]);
  expect((await findNames("Love", small)).map(({ path, isExact }) => [path, isExact])).toEqual([
    ["/tag/love/", true],
    ["/tag/lovecraft/", false],
  ]);
  expect(await found("dickinson", small)).toEqual(["dickinson", "Emily Dickinson"]);
  expect(await findNames("SELF HELP", small)).toMatchObject([
    { path: "/tag/self-help/", isExact: true },
  ]);
  expect(await findNames("con", small)).toContainEqual(
    expect.objectContaining({ path: "/author/con-1a2b3c4d/" }),
  );
  expect(await findNames("kubernetes", small)).toEqual([]);
  expect(await findNames("?", small)).toEqual([]);
});

test.each([
  ["einstein god dice", ["Albert Einstein", "Carl Einstein"]],
  ["oscar wilde", ["Oscar Wilde"]],
  ["wilde oscar quotes on love", ["Oscar Wilde", "love"]],
  ["quotes about self help", ["self-help"]],
  ["love of lovecrafts", ["love"]],
  ["carl einstein dice", ["Carl Einstein", "Albert Einstein"]],
  // A first name is no name, and a short last name may be any word.
  ["albert dice", []],
  ["con dice", ["Con"]],
  ["tzu dice", []],
])("of %j, of which no name has all words, names within are found: %j", async (text, names) => {
  expect(await found(text, small)).toEqual(names);
});

test("words of a name that are run together are found, and with an error too", async () => {
  for (const text of ["vangogh", "vincentvan gogh", "vnagogh"])
    expect(await found(text, small)).toContain("Vincent van Gogh");
  expect(await found("vincentgogh", small)).toEqual([]);
});

test("a letter in another place is one error, and letters may be missing where the name is long", async () => {
  expect(await found("ghandi", small)).toContain("Mahatma Gandhi");
  expect(await found("motagne", small)).toContain("Montaigne");
  // Two other letters, and a short word.
  expect(await found("gunthi", small)).toEqual([]);
  expect(await found("lvoe", small)).toContain("love");
  expect(await found("mrk", small)).toEqual([]);
});

test("a name is there while it is typed, and where another word follows", async () => {
  for (const text of ["e", "ein", "albert ei"])
    expect(await found(text, small)).toContain("Albert Einstein");
  expect(await found("einstein said", small)).toEqual(["Albert Einstein", "Carl Einstein"]);
});

test.each(["small", "large"])(
  "of 40 misspelt names 36 are among the first three, of a %s site",
  async (size) => {
    const folder = size === "small" ? small : large;
    const wrong: string[] = [];
    for (const [text, name] of Object.entries(MISSPELT))
      if (!(await found(text, folder)).includes(name)) wrong.push(text);
    expect(Object.keys(MISSPELT)).toHaveLength(40);
    expect(wrong.length, wrong.join(", ")).toBeLessThanOrEqual(4);
  },
);

test.runIf(process.env["REAL_QUOTES"])(
  "of the 40 misspelt names 36 lead to a person of the real collection",
  async () => {
    const counts = countNames(realQuotes().map(({ author }) => author || null));
    // A site has one page for all spellings that fold alike, with the most frequent name.
    const spellings = counts
      .filter(({ name }) => name !== null)
      .sort((a, b) => b.quotes - a.quotes);
    const merged = new Map<string, NamedListing>();
    for (const { name, quotes } of spellings) {
      const own = listing(name ?? "", quotes);
      if (!merged.has(own.slug)) merged.set(own.slug, own);
    }
    const folder = await serve([...merged.values()], []);
    const surname = (name: string): string => searchedWords(name).at(-1) ?? "";
    const wrong: string[] = [];
    for (const [text, name] of Object.entries(MISSPELT)) {
      const names = await found(text, folder);
      if (!names.some((one) => surname(one) === surname(name))) wrong.push(text);
    }
    expect(wrong.length, wrong.join(", ")).toBeLessThanOrEqual(4);
  },
);

test.each([1, 2, 3])(
  "of 40 names of the collection, two letters swapped, 36 are found (seed %i)",
  async (seed) => {
    const counts = countNames(realQuotes().map(({ author }) => author || null));
    const all = counts.flatMap(({ name, quotes }) =>
      name === null ? [] : [listing(name, quotes)],
    );
    const folder = await serve(all, []);
    const usual = all.filter(({ name }) => /^\p{L}{3,}(?: \p{L}+)? \p{L}{4,}$/u.test(name));
    const large = usual.sort((a, b) => b.quotes - a.quotes).slice(0, 2_000);
    const wrong: string[] = [];
    let state = seed;
    const draw = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
    for (let count = 0; count < 40; count++) {
      const { name } = large[draw(large.length)] ?? listing("");
      const at = 1 + draw(name.length - 2);
      const text = name.slice(0, at) + (name[at + 1] ?? "") + (name[at] ?? "") + name.slice(at + 2);
      const names = await found(text, folder);
      if (!names.some((one) => fold(one) === fold(name)))
        wrong.push(`${text}: ${names.join(", ")}`);
    }
    expect(wrong.length, wrong.join("\n")).toBeLessThanOrEqual(4);
  },
);

test.each(["ovltaire", "vlotaire"])(
  "a name whose first letters are swapped is in another chunk: %s",
  async (text) => {
    expect(await found(text, large)).toEqual(["Voltaire"]);
  },
);

test("beside a name that has few quotes, and may be an error, the right one of another chunk is found", async () => {
  expect(await found("ghandi", large)).toEqual(["Ghandi", "Mahatma Ghandi", "Mahatma Gandhi"]);
});

test("a query loads 60 kB of names at most, and an unknown word two chunks", async () => {
  for (const text of [...Object.keys(MISSPELT), "kubernetes", "e"]) {
    loaded = [];
    // Another address is loaded anew.
    await findNames(text, large.replace("/pagefind/", `/${encodeURIComponent(text)}/pagefind/`));
    const bytes = loaded.reduce((sum, file) => sum + file.bytes, 0);
    expect(bytes, text).toBeGreaterThan(0);
    expect(bytes, text).toBeLessThanOrEqual(60_000);
    if (text === "kubernetes") expect(loaded.length).toBeLessThanOrEqual(3);
    if (text === "einstein") expect(loaded.length).toBeLessThanOrEqual(2);
  }
});

test("a list that could not be loaded is loaded by the next query", async () => {
  const again = small.replace("/pagefind/", "/again/pagefind/");
  down = true;
  await expect(findNames("einstein", again)).rejects.toThrow(/^Cannot read .*index\.json: 503$/);
  down = false;
  expect(await found("einstein", again)).toContain("Albert Einstein");
});

test.each([
  ["abcd", "abcd", 0],
  ["abcd", "abdc", 1],
  ["abcd", "abd", 1],
  ["abcd", "abxcd", 1],
  ["abcd", "xbcy", 2],
  ["", "abc", 3],
])("distance() of %j and %j is %i", (a, b, errors) => {
  expect(distance(a, b)).toBe(errors);
  expect(distance(b, a)).toBe(errors);
});

test("a short word has no error, and a word of the query that the name lacks makes it none", () => {
  const cost = (query: string, name: string) => costOf(searchedWords(query), searchedWords(name));
  expect(cost("Twain", "Mark Twain")).toBe(0);
  expect(cost("mark twain", "Mark Twain")).toBe(-1);
  expect(cost("lee", "Bruce Lie")).toBe(Infinity);
  expect(cost("mark antony", "Mark Twain")).toBe(Infinity);
});

test("findNames() gives what the site says of an author, cut where it is long, also where a slug is not that of the name", async () => {
  const folder = await serve(
    [
      { ...listing("Plato"), about: `428–348 BC · ${"Greek philosopher. ".repeat(9)}` },
      { ...listing("Laozi"), slug: "laozi-2", about: "Sage." },
      listing("Plautus"),
    ],
    [listing("planets")],
  );
  const found = async (text: string) =>
    (await findNames(text, folder)).map(({ path, about }) => [path, about]);
  expect(await found("laozi")).toEqual([["/author/laozi-2/", "Sage."]]);
  const [[path, about] = []] = await found("plato");
  expect(path).toBe("/author/plato/");
  expect(about).toMatch(/^428–348 BC · Greek philosopher.*…$/);
  expect(about?.length).toBeLessThanOrEqual(60);
  expect(await found("plautus")).toEqual([["/author/plautus/", ""]]);
});
