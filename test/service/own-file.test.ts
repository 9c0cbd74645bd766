/** An operator's own file: every form that other programs write, nothing made up, and keys that stay. */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { loadFile, TooManyInvalid, type OwnFile } from "../../src/service/load.ts";
import type { StoredQuote } from "../../src/service/quote.ts";
import { Store } from "../../src/service/store.ts";
import { seeded, tempFolder } from "../support/run/index.ts";
import { HOSTILE } from "../support/snapshot/index.ts";

const OWN: OwnFile = { language: null, maxUnreadable: 0.01 };

async function load(name: string, content: string | Buffer, own = OWN) {
  const path = join(tempFolder("own"), name);
  writeFileSync(path, content);
  const store = new Store(":memory:");
  try {
    const lines: string[] = [];
    const loaded = await loadFile(store, path, (line) => lines.push(line), own);
    return { ...loaded, quotes: [...store.quotes()] };
  } finally {
    store.close();
  }
}

const shown = ({ quote, author, tags, language }: StoredQuote) => [quote, author, tags, language];

const ROWS = [
  ["Say “hi”, then; leave.", "Zoé", ["hope", "the sea"], "fr"],
  ["One line,\nand another.", null, [], "und"],
];
const JSON_ROWS = [
  { quote: ROWS[0]?.[0], author: "Zoé", tags: ["hope", "the sea"], language: "fr" },
  { quote: ROWS[1]?.[0], author: "", tags: "" },
];
const COMMA = `quote,author,tags,language\n"Say “hi”, then; leave.",Zoé,hope;the sea,fr\n"One line,\nand another.",,,\n`;
const SEMICOLON = `Quote;Author;Tags;Language\r\n"Say “hi”, then; leave.";Zoé;hope|the sea;FR\r\n"One line,\r\nand another.";;;\r\n;;;\r\n`;
const TABS = `Quote\tAuthor\tTags\tLanguage\r\nSay “hi”, then; leave.\tZoé\thope;the sea\tfr\r\n"One line,\nand another."\t\t\t\r\n`;

test.each<[string, string, string | Buffer]>([
  ["CSV with commas", "a.csv", COMMA],
  [
    "CSV of LibreOffice: every cell quoted",
    "a.csv",
    COMMA.replace("Zoé,hope;the sea,fr", '"Zoé","hope;the sea","fr"'),
  ],
  ["CSV UTF-8 of Excel: semicolons, a byte order mark, empty rows", "a.csv", `\uFEFF${SEMICOLON}`],
  ["CSV with the delimiter in its first line", "a.csv", `sep=;\r\n${SEMICOLON}`],
  ["tabs", "a.tsv", TABS],
  ["Unicode Text of Excel, in UTF-16", "a.tsv", Buffer.from(`\uFEFF${TABS}`, "utf16le")],
  ["gzipped CSV", "A.CSV.gz", gzipSync(COMMA)],
  ["NDJSON", "a.ndjson", JSON_ROWS.map((row) => JSON.stringify(row)).join("\n")],
  [
    "gzipped NDJSON",
    "a.ndjson.gz",
    gzipSync(JSON_ROWS.map((row) => JSON.stringify(row)).join("\n")),
  ],
  ["a JSON array", "a.json", JSON.stringify(JSON_ROWS, null, 2)],
  ["an object with a JSON array", "a.json", JSON.stringify({ count: 2, results: JSON_ROWS })],
  ["NDJSON that is called JSON", "a.json", JSON_ROWS.map((row) => JSON.stringify(row)).join("\n")],
])("loadFile() reads %s", async (_, name, content) => {
  const { quotes } = await load(name, content);
  const expected = ROWS.map(([quote, author, ...rest]) => [quote, author, ...rest]);
  // JSON and CSV differ in the author that is there and empty, which the contract's decoder reads as none.
  const rows = quotes.map((quote) =>
    shown({ ...quote, author: quote.author === "" ? null : quote.author }),
  );
  expect(rows.sort()).toEqual(expected.sort());
  expect(quotes.map(({ likes, image, curated }) => [likes, image, curated])).toEqual([
    [0, null, false],
    [0, null, false],
  ]);
});

test.each([
  [
    "Readwise",
    "Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,Highlighted at,Document tags\n" +
      '"Rain falls, always.",A Book,Ann Reader,B00,,yellow,"rain,weather",location,12,2024-01-01 10:00,mine\n',
    ["Rain falls, always.", "Ann Reader", ["rain", "weather"], { work: "A Book", year: null }],
  ],
  [
    "Goodreads",
    "Quote,Author Name,Likes,Tags\n“Rain falls.”,Ann Reader,12,rain|weather\n",
    ["“Rain falls.”", "Ann Reader", ["rain", "weather"], undefined],
  ],
  [
    "a data set with categories",
    'quote,author,category\nRain falls.,Ann Reader,"rain, weather"\n',
    ["Rain falls.", "Ann Reader", ["rain", "weather"], undefined],
  ],
])("loadFile() knows the columns of %s", async (_, csv, expected) => {
  const { quotes } = await load("export.csv", csv);
  expect(quotes.map((quote) => [...shown(quote).slice(0, 3), quote.source])).toEqual([expected]);
});

test("loadFile() takes what a record says", async () => {
  const row = {
    pk: 7,
    quote: "Q",
    likes: -3,
    image: "https://p.example/a.jpg",
    curated: 1,
    language: "EN",
  };
  const { quotes } = await load("a.ndjson", JSON.stringify(row));
  expect(quotes[0]).toMatchObject({ ...row, curated: true, language: "en" });
  const cells = "pk,quote,likes,image,curated\n7,Q,-3,https://p.example/a.jpg,yes\n";
  const { quotes: ofCsv } = await load("a.csv", cells, { ...OWN, language: "en" });
  expect(ofCsv).toEqual(quotes);
});

/** 200 records as NDJSON. */
const GOOD_JSON = Array.from({ length: 200 }, (_, n) => `{"quote":"Text ${n}"}\n`).join("");

/** Enough good lines that two bad ones are less than one in a hundred. */
const GOOD = Array.from({ length: 300 }, (_, n) => `Text ${n},0,\n`).join("");

test("loadFile() makes up no likes, pictures and choices", async () => {
  const { quotes } = await load("a.csv", `quote,likes,lang\n${GOOD.replaceAll(",0,", ",,")}`);
  const made = quotes.map(({ likes, image, curated }) => `${likes} ${image} ${curated}`);
  expect([made.length, new Set(made)]).toEqual([300, new Set(["0 null false"])]);
});

test.each([
  ["Text,many,", 'line 302, column Likes: expected a whole number, got "many"'],
  ["Text,1.5,", 'line 302, column Likes: expected a whole number, got "1.5"'],
  [",3,", "line 302, column quote: expected text, got nothing"],
  ["Text, with a comma,3,en", "line 302: expected 3 columns, got 4"],
  ["Text", "line 302: expected 3 columns, got 1"],
  ["Text,3,English", 'line 302, column lang: expected a language code such as "en", got "English"'],
])(
  "loadFile() leaves out %j and names line, column and what was expected",
  async (line, reason) => {
    const { bad, added, faults } = await load(
      "a.csv",
      `quote,Likes,lang\n${GOOD}${line}\nLast,0,\n`,
    );
    expect([bad, added]).toEqual([1, 301]);
    expect(faults.map((fault) => fault.slice(0, reason.length))).toEqual([reason]);
  },
);

test("loadFile() refuses a file of which more than one record in a hundred is invalid", async () => {
  const bad = "x,no,\n".repeat(4);
  await expect(load("a.csv", `quote,likes,lang\n${GOOD}${bad}`)).rejects.toThrow(TooManyInvalid);
  const { added } = await load("a.csv", `quote,likes,lang\n${GOOD}${bad}`, {
    ...OWN,
    maxUnreadable: 0.05,
  });
  expect(added).toBe(300);
  // One alone never ends a run.
  expect((await load("a.csv", "quote,likes\na,0\nb,no\n")).added).toBe(1);
});

test.each([
  ["a.csv", "a,b\nc,d\n", 'line 1: expected a header with a column "quote", got ["a","b"]'],
  ["a.csv", 'quote\nfine\n"open\nmore\n', "line 3: a quotation mark is not closed"],
  [
    "a.csv",
    `quote\n"open\n${"more\n".repeat(500_000)}`,
    "line 2: longer than a quote can be; is a quotation mark not closed?",
  ],
  [
    "a.csv",
    Buffer.from("quote\nété\nnoël\n", "latin1"),
    'line 2: not UTF-8: save the file as "CSV UTF-8"',
  ],
  ["a.csv", "", "it is empty"],
  ["a.csv", "quote,author\n", "it is empty"],
  ["a.json", '[\n{"quote":"a"},\n{"quote":}\n]', "line 3, column 10: it is not JSON"],
  ["a.json", '{"a":[],"b":[]}', "expected an array of quotes"],
  ["a.ndjson.gz", Buffer.concat([gzipSync("x").subarray(0, 12)]), "unexpected end of file"],
])("loadFile() refuses %s, number %#", async (name, content, reason) => {
  await expect(load(name, content)).rejects.toThrow(reason);
});

test("loadFile() refuses a folder in words", async () => {
  const folder = tempFolder("folder.csv");
  await expect(loadFile(new Store(":memory:"), folder, () => undefined, OWN)).rejects.toThrow(
    `Cannot load ${folder}: it is a folder`,
  );
});

test("loadFile() names once what stands in the place of a text", async () => {
  const { faults } = await load("a.csv", `quote,likes,lang\n${GOOD}\0,3,\n`);
  expect(faults).toEqual(['line 302, column quote: expected text, got "\\u0000"']);
});

test(
  "a line of 100 MB, and 100 MB without a quotation mark that closes, are one invalid record, and fill no memory",
  { tags: "long" },
  async () => {
    const path = join(tempFolder("long"), "a.ndjson");
    const chunk = Buffer.alloc(1e6, "x");
    writeFileSync(path, `${GOOD_JSON}{"quote":"`);
    for (let n = 0; n < 100; n++) appendFileSync(path, chunk);
    appendFileSync(path, '"}\n{"quote":"Last."}\n');
    const before = process.memoryUsage().rss;
    const store = new Store(":memory:");
    const loaded = await loadFile(store, path, () => undefined, OWN);
    expect(loaded).toMatchObject({ added: 201, bad: 1 });
    expect(loaded.faults).toEqual(["line 201: longer than a quote can be"]);
    store.close();
    const csv = path.replace("ndjson", "csv");
    for (const mark of ["", '"']) {
      writeFileSync(csv, `author,quote,likes\nA,first,\nA,${mark}`);
      for (let n = 0; n < 100; n++) appendFileSync(csv, chunk);
      appendFileSync(csv, `${mark},3\nA,last,4\n`);
      const table = new Store(":memory:");
      const { added, bad, faults } = await loadFile(table, csv, () => undefined, OWN);
      expect({ added, bad }).toEqual({ added: 2, bad: 1 });
      expect(faults).toEqual(["line 3: longer than a quote can be"]);
      table.close();
    }
    writeFileSync(csv, 'quote\nfine\n"');
    for (let n = 0; n < 100; n++) appendFileSync(csv, chunk);
    await expect(loadFile(new Store(":memory:"), csv, () => undefined, OWN)).rejects.toThrow(
      "line 3: a quotation mark is not closed",
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(180e6);
  },
);

test.each(HOSTILE)("a hostile text is text, and a formula too, number %#", async (hostile) => {
  const text = hostile.trim();
  const cell = `"${text.replaceAll('"', '""')}"`;
  const csv = `quote,author,tags,source\n${cell},${cell},${cell},${cell}\n"=cmd|' /C calc'!A0",+1,@SUM(1),-1\n`;
  const { quotes } = await load("a.csv", csv, { ...OWN, maxUnreadable: 1 });
  const [formula] = quotes.filter(({ author }) => author === "+1");
  expect(formula).toMatchObject({ quote: "=cmd|' /C calc'!A0", tags: ["@SUM(1)"] });
  const found = quotes.find(({ quote }) => quote === text.toWellFormed().replaceAll("\0", ""));
  expect(found).toBeDefined();
});

test("loadFile() reads a name of JavaScript's own as a column without meaning", async () => {
  const csv = 'quote,__proto__,constructor\n=HYPERLINK("x"),{},toString\n';
  const json = '{"__proto__":{"likes":5},"quote":"=HYPERLINK(\\"x\\")"}';
  const [{ quotes: ofCsv }, { quotes }] = await Promise.all([
    load("a.csv", csv),
    load("a.json", `[${json}]`),
  ]);
  expect(quotes).toMatchObject([{ quote: '=HYPERLINK("x")', likes: 0 }]);
  expect(ofCsv).toEqual(quotes);
});

const keysOf = async (csv: string) =>
  new Map(
    (await load("a.csv", csv)).quotes.map(({ pk, quote, author }) => [`${quote}/${author}`, pk]),
  );

test("the key of a quote depends on its text and author alone, in every format", async () => {
  const keys = await keysOf("quote,author,likes\nA,B,3\nC,D,1\nA,D,0\n");
  expect(new Set(keys.values()).size).toBe(3);
  const again = await keysOf("author;tags;quote\nD;x;C\nD;;A\nB;y;A\n");
  expect([...again].sort()).toEqual([...keys].sort());
  const { quotes } = await load("a.ndjson", '{"quote":" A ","author":"B"}');
  expect(quotes[0]?.pk).toBe(keys.get("A/B"));
});

test("an id is the key, also one of text; a changed text then keeps it", async () => {
  const { quotes } = await load("a.csv", "id,quote\n12,A\nf81d4fae-7dec,B\n");
  const { quotes: changed } = await load(
    "a.csv",
    "id,quote\nf81d4fae-7dec,B changed\n12,A changed\n",
  );
  expect(changed.map(({ pk }) => pk)).toEqual(quotes.map(({ pk }) => pk));
  expect(quotes.some(({ pk }) => pk === 12)).toBe(true);
});

test("over five nights of deleted, added and changed lines every untouched quote keeps its key", async () => {
  const random = seeded(5);
  let lines = Array.from({ length: 200 }, (_, n) => `"Sentence ${n}, whole",Author ${n % 7}`);
  const known = new Map<string, number>();
  for (let night = 0; night < 5; night++) {
    for (const [name, pk] of await keysOf(`quote,author\n${lines.join("\n")}\n`)) {
      expect(known.get(name) ?? pk).toBe(pk);
      known.set(name, pk);
    }
    lines = lines
      .filter(() => random() > 0.1)
      .map((line, n) => (random() < 0.05 ? `"Changed ${night} ${n}",Someone` : line));
    lines.splice(3, 0, `"New ${night}",Someone`);
  }
  expect(new Set(known.values()).size).toBe(known.size);
});

test("a quote that a file repeats is one quote, and counted", async () => {
  const { added, known } = await load("a.csv", "quote,author\nA,B\nA,B\nA,C\n");
  expect([added, known]).toEqual([2, 1]);
});
