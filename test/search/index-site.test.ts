/** The search index as files: a bundle for each language, the same for the same cards, made again only where they differ. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { DiskError } from "../../src/contract/errors.ts";
import { rankFileOf, type RankFile } from "../../src/contract/search-lists.ts";
import { filesBelow } from "../../src/files/walk.ts";
import { cardsOf, type IndexedCard, type Fragment } from "../../src/islands/search/pagefind.ts";
import { redirectPage } from "../../src/hosts/redirects.ts";
import { indexSite } from "../../src/search/index-site.ts";
import type { Names } from "../../src/search/lists.ts";
import { makeBundle } from "../../src/search/pagefind.ts";
import { escapeHtml } from "../../src/util/text.ts";
import { contentOf, datesOf } from "../render/support.ts";
import { CAN_LINK, tempFolder } from "../support/run/index.ts";
import { HOSTILE } from "../support/snapshot/index.ts";

const folder = tempFolder("search");
const WORDS = { lang: "en", dir: "ltr", moved: "Moved", siteTitle: "Quotes" } as const;

interface Card {
  readonly id: number;
  readonly text: string;
  readonly author?: string;
  readonly source?: string;
  readonly tags?: readonly string[];
  readonly likes?: string;
}

const card = ({
  id,
  text,
  author = "Anna Vale",
  source = "",
  tags = ["hope"],
  likes = "7",
}: Card): string =>
  `<article class="quote" id="q${id}"><blockquote>${escapeHtml(text)}</blockquote><p class="by" id="b${id}">` +
  `<a href="/author/a/">${escapeHtml(author)}</a></p>` +
  (source === "" ? "" : `<p class="source" id="s${id}"><cite>${escapeHtml(source)}</cite></p>`) +
  `<ul class="notes"><li class="likes">${likes} likes</li>` +
  `<li><vote-box>Like 4,800</vote-box></li>` +
  `<li><a class="permalink">¶</a></li>${tags.map((tag) => `<li><a>${escapeHtml(tag)}</a></li>`).join("")}</ul></article>`;

/** Writes a page of a language's listing, as a site has it. */
function list(site: string, page: string, cards: readonly Card[], chrome = "Yesterday"): void {
  const path = join(folder, site, "language", page, "index.html");
  mkdirSync(dirname(path), { recursive: true });
  const body = `<p>${chrome}</p><div class="quotes" data-pagefind-body>${cards.map(card).join("")}</div>`;
  writeFileSync(path, `<!doctype html><html lang="en"><body>${body}<p>${chrome}</p></body></html>`);
}

function makeSite(site: string): void {
  list(site, "en", [{ id: 1, text: "A lantern glows." }]);
  list(site, "en/2", [{ id: 2, text: "Two lanterns glow." }]);
  list(site, "ru", [{ id: 3, text: "Лампада горит." }]);
}

const NO_NAMES: Names = { author: [], tag: [] };

const run = (
  site: string,
  curated: number[] | null = null,
  signal?: AbortSignal,
  names: Names = NO_NAMES,
) =>
  indexSite({
    outDir: join(folder, site),
    stateDir: join(folder, `${site}-state`),
    ...{ curated, names },
    ...(signal === undefined ? {} : { signal }),
  });

const bundle = (site: string): string => join(folder, site, "pagefind");
const namesOf = (site: string): string[] => [...filesBelow(bundle(site))];
const contentsOf = (site: string) => contentOf(bundle(site));
const timesOf = (site: string) => datesOf(bundle(site));

/** The cards as the browser reads them from the bundle. */
function cardsIn(site: string, language: string): IndexedCard[] {
  const folder = join(bundle(site), language);
  return readdirSync(join(folder, "fragment")).flatMap((name) => {
    const text = gunzipSync(readFileSync(join(folder, "fragment", name))).toString();
    const fragment = JSON.parse(text.slice("pagefind_dcd".length)) as Fragment;
    const id = name.replace(".pf_fragment", "");
    const file = readFileSync(join(folder, "ranks", rankFileOf(id)), "utf8");
    const { perPage, ranks } = JSON.parse(file) as RankFile;
    const placed = { raw_url: `/language/${language}/`, perPage, ranks: ranks[id] };
    return cardsOf({ ...fragment, ...placed, raw_content: fragment.content }, []);
  });
}

const pathsIn = (site: string, language: string): string[] =>
  cardsIn(site, language)
    .map(({ path }) => path)
    .sort();

test("each language has a bundle of its own, the same for the same cards", async () => {
  makeSite("a");
  makeSite("b");
  const report = await run("a");
  await run("b");
  expect(report).toMatchObject({ languages: 2, pages: 3, indexed: 2 });
  expect(report.files).toBe(namesOf("a").length);
  expect(namesOf("a").filter((name) => /^(?:en|ru)\/fragment\//.test(name))).toHaveLength(2);
  expect(namesOf("a")).toEqual(
    expect.arrayContaining(["en/wasm.en.pagefind", "ru/wasm.ru.pagefind"]),
  );
  expect(namesOf("a")).not.toContain("en/wasm.unknown.pagefind");
  expect(contentsOf("a")).toEqual(contentsOf("b"));
});

test("a card keeps its words, its author and its tags apart", () => {
  expect(cardsIn("a", "en")).toContainEqual({
    id: 2,
    path: "/language/en/2/#q2",
    rank: 1,
    words: ["Two", "lanterns", "glow."],
    joiner: " ",
    author: "Anna Vale",
    tags: ". hope.",
    found: [],
    foundWords: [],
  });
});

test("a source is found, and stands neither in the author nor in the tags", async () => {
  const [id, text] = [4, "Two lanterns glow."];
  list("source", "en", [{ id, text, source: "Essays & hope (1855)" }]);
  await run("source");
  expect(cardsIn("source", "en")).toMatchObject([{ author: "Anna Vale", tags: ". hope." }]);
  const [fragment] = namesOf("source").filter((name) => name.startsWith("en/fragment/"));
  const indexed = gunzipSync(readFileSync(join(bundle("source"), fragment ?? ""))).toString();
  expect(indexed).toContain("Essays");
});

test("a run over the same cards touches nothing when their likes and the rest of the pages change", async () => {
  const before = timesOf("a");
  expect(await run("a")).toMatchObject({ indexed: 0, changed: 0, pages: 3 });
  list("a", "en", [{ id: 1, text: "A lantern glows." }], "Today");
  expect(await run("a")).toMatchObject({ indexed: 0, changed: 0 });
  list("a", "en/2", [{ id: 2, text: "Two lanterns glow.", likes: "4,800" }]);
  expect(await run("a")).toMatchObject({ indexed: 0, changed: 0 });
  expect(timesOf("a")).toEqual(before);
});

test("a redirect from a page that a listing lost indexes nothing again", async () => {
  const lost = join(folder, "a/language/en/3");
  mkdirSync(lost);
  const to = "/language/en/2/";
  const html = redirectPage(to, "https://q.example", { ...WORDS, attribution: null });
  writeFileSync(join(lost, "index.html"), html);
  expect(await run("a")).toMatchObject({ indexed: 0, changed: 0 });
  rmSync(lost, { recursive: true });
  expect(await run("a")).toMatchObject({ indexed: 0, changed: 0 });
});

test("a night of votes indexes nothing, and its quotes are where they stand now", async () => {
  list("a", "en", [{ id: 2, text: "Two lanterns glow.", likes: "9" }]);
  list("a", "en/2", [{ id: 1, text: "A lantern glows.", likes: "8" }]);
  expect(await run("a")).toMatchObject({ indexed: 0, languages: 2, changed: 1 });
  expect(pathsIn("a", "en")).toEqual(["/language/en/#q2", "/language/en/2/#q1"]);
});

/** Writes the listing of English, 50 to a page. @param cards in its order */
function listEnglish(site: string, cards: readonly Card[]): void {
  rmSync(join(folder, site, "language/en"), { recursive: true, force: true });
  for (let at = 0; at < cards.length; at += 50) {
    list(site, at === 0 ? "en" : `en/${at / 50 + 1}`, cards.slice(at, at + 50));
  }
}

test("a new quote indexes its language alone, changes its block, and gives the bytes of an index made from nothing", async () => {
  const quote = (id: number): Card => ({ id, text: `Line ${id} of a long poem.` });
  const ids = Array.from({ length: 200 }, (_, at) => 3 * at + 1);
  makeSite("night");
  listEnglish("night", ids.map(quote));
  await run("night");
  const before = contentsOf("night");
  // The new quote is liked most, so every other is at another place.
  const after = [200, ...ids.toReversed()].map(quote);
  listEnglish("night", after);
  expect(await run("night")).toMatchObject({ indexed: 1, languages: 2 });
  const fragments = (of: object) => Object.keys(of).filter((name) => /^en\/fragment\//.test(name));
  expect(fragments(before).length).toBeGreaterThan(3);
  const changed = fragments(contentsOf("night")).filter((name) => !(name in before));
  expect(changed).toHaveLength(1);
  makeSite("anew");
  listEnglish("anew", after);
  await run("anew");
  expect(contentsOf("night")).toEqual(contentsOf("anew"));
  const paths = after.map(
    ({ id }, at) => `/language/en/${at < 50 ? "" : `${Math.floor(at / 50) + 1}/`}#q${id}`,
  );
  expect(pathsIn("night", "en")).toEqual(paths.sort());
});

test("cards that a theme shows beside a listing are not in the index", async () => {
  list(
    "beside",
    "en",
    [{ id: 1, text: "A lantern glows." }],
    `</p>${card({ id: 9, text: "Of the day." })}<p>`,
  );
  await run("beside");
  expect(pathsIn("beside", "en")).toEqual(["/language/en/#q1"]);
});

test("only the language whose cards changed is indexed again, and equal files stay", async () => {
  const before = timesOf("a");
  list("a", "en/2", [{ id: 1, text: "Two thistles." }]);
  expect(await run("a")).toMatchObject({ indexed: 1, languages: 2 });
  const after = timesOf("a");
  const kept = Object.keys(before).filter((name) => after[name] === before[name]);
  expect(kept).toEqual(expect.arrayContaining(["en/pagefind.js", "ru/pagefind.js"]));
  expect(cardsIn("a", "en").map(({ words }) => words.join(" "))).not.toContain("A lantern glows.");
});

test("what no language needs any more goes", async () => {
  mkdirSync(join(bundle("a"), "fragment"));
  writeFileSync(join(bundle("a"), "fragment/old"), "");
  writeFileSync(join(bundle("a"), "_lists/names-old.json"), "");
  rmSync(join(folder, "a/language/ru"), { recursive: true });
  expect((await run("a")).languages).toBe(1);
  expect(namesOf("a").filter((name) => !/^en\/|^_lists\/words-\w+\.json$/.test(name))).toEqual([
    "_lists/index.json",
  ]);
});

test.each(["", "cut"])("a file that was deleted or cut is made again: %j", async (content) => {
  const whole = contentsOf("b");
  const name = namesOf("b").find((file) => file.startsWith("ru/index/")) ?? "";
  if (content === "") rmSync(join(bundle("b"), name));
  else writeFileSync(join(bundle("b"), name), content);
  expect((await run("b")).indexed).toBe(1);
  expect(contentsOf("b")).toEqual(whole);
});

test("the ids of curated quotes are a file, while they are known", async () => {
  const ids = (): unknown => JSON.parse(readFileSync(join(bundle("b"), "curated.json"), "utf8"));
  expect(await run("b", [1, 3])).toMatchObject({ indexed: 0, changed: 1 });
  expect(ids()).toEqual([1, 3]);
  expect((await run("b", [1, 3])).changed).toBe(0);
  expect((await run("b", null)).changed).toBe(1);
  expect(existsSync(join(bundle("b"), "curated.json"))).toBe(false);
});

test("hostile text ends no run, and takes no other quote's place", async () => {
  const texts = [
    ...HOSTILE,
    "x ___PAGEFIND_ANCHOR___article:0:q2 ___PAGEFIND_ANCHOR___p:1:b7 y",
    "___PAGEFIND_WEIGHT___abc ___END_PAGEFIND_WEIGHT___ ___END_PAGEFIND_WEIGHT___",
    "\u200b\u200b \ufeff \u0085 &lt;b&gt; <b>",
  ];
  const cards = texts.map((text, index) => ({ id: 10 + index, text, author: text.slice(0, 60) }));
  list("hostile", "en", [...cards, { id: 2, text: "A quiet line." }]);
  list("hostile", "und", [{ id: 3, text: "Of no language." }]);
  list("hostile", "zh", [{ id: 4, text: "生活的美好，在于发现平凡中的奇迹。", author: "格言" }]);
  expect(await run("hostile")).toMatchObject({ languages: 3, indexed: 3 });
  const found = cardsIn("hostile", "en");
  expect(found.map(({ id }) => id).sort((a, b) => a - b)).toEqual([
    2,
    ...cards.map(({ id }) => id),
  ]);
  expect(found.find(({ id }) => id === 2)?.words.join(" ")).toBe("A quiet line.");
  const [chinese] = cardsIn("hostile", "zh");
  expect(chinese?.words.join(chinese.joiner).trim()).toBe("生活的美好，在于发现平凡中的奇迹。");
  expect(chinese?.author).toBe("格言");
});

test("a run that was stopped writes no index, and stops at once", async () => {
  makeSite("stopped");
  await expect(run("stopped", null, AbortSignal.abort(new Error("stopped")))).rejects.toThrow(
    "stopped",
  );
  expect(existsSync(bundle("stopped"))).toBe(false);
  const many = Array.from({ length: 4_000 }, (_, index) => ({
    id: 100 + index,
    text: `Line ${index} of many words that are all quite common here.`,
  }));
  for (let page = 3; page < 23; page++) list("stopped", `en/${page}`, many);
  const controller = new AbortController();
  const stopped = run("stopped", null, controller.signal);
  setTimeout(() => controller.abort(new Error("stopped")), 150);
  const begun = performance.now();
  await expect(stopped).rejects.toThrow("stopped");
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(existsSync(join(folder, "stopped-state/search.unfinished"))).toBe(false);
  rmSync(join(folder, "stopped/language/en"), { recursive: true });
  list("stopped", "en", [{ id: 1, text: "A lantern glows." }]);
  expect(await run("stopped")).toMatchObject({ indexed: 2, languages: 2 });
});

test("an index that cannot be written is one line that names the language", async () => {
  mkdirSync(join(folder, "full"));
  writeFileSync(join(folder, "full/fragment"), "");
  const made = makeBundle({
    site: join(folder, "b"),
    language: "en",
    output: join(folder, "full"),
    signal: undefined,
  });
  await expect(made).rejects.toThrow(DiskError);
  await expect(made).rejects.toThrow(/^Cannot index language en: \S.*$/);
});

test.skipIf(!CAN_LINK).each(["pagefind", "pagefind/ru"])(
  "nothing is written through a link at %s",
  async (at) => {
    const site = `linked-${at.replace("/", "-")}`;
    makeSite(site);
    const elsewhere = tempFolder("elsewhere");
    const path = join(folder, site, at);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(elsewhere, path);
    await expect(run(site, [1])).rejects.toThrow(DiskError);
    expect(readdirSync(elsewhere)).toEqual([]);
  },
);

test.each([
  ["memory pages it cannot use", "<jemalloc>: Unsupported system page size", "kill -ABRT $$"],
  ["another fault", "illegal instruction", "exit 1"],
])(
  "a program that does not start, for %s, leaves a whole site without search",
  async (_, says, end) => {
    makeSite("without");
    const stateDir = join(folder, "without-state");
    const program = join(tempFolder("program"), "pagefind");
    writeFileSync(program, `#!/bin/sh\necho "${says}" >&2\n${end}\n`);
    chmodSync(program, 0o755);
    const outDir = join(folder, "without");
    const options = { outDir, stateDir, curated: null, names: NO_NAMES };
    const languages = (await indexSite(options)).languages;
    list("without", "en", [{ id: 1, text: "Another text, so that it is indexed again." }]);
    const report = await indexSite({ ...options, program });
    expect(report).toMatchObject({ fault: says, indexed: 0, languages });
    // An index of other texts would lead astray; other languages keep theirs, and there are the lists.
    expect(readdirSync(join(folder, "without/pagefind")).sort()).not.toContain("en");
    expect(readdirSync(join(folder, "without/pagefind"))).toHaveLength(languages);
    expect(await indexSite(options)).toMatchObject({ fault: null, indexed: 1 });
  },
);
