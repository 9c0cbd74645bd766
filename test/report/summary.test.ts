/** The summary and the annotations of a night: everything that matters, and nothing upstream may add to them. */
import { expect, test } from "vitest";
import { disarmCommands, printable, printableJson } from "../../src/util/text.ts";
import { annotationsOf, command } from "../../src/report/annotations.ts";
import { spentShares } from "../../src/report/run-report.ts";
import { summaryOf } from "../../src/report/summary.ts";
import { build, HOSTILE, night } from "./support.ts";

const hostileNight = (text: string) =>
  night(
    {
      status: 65,
      failure: text,
      merged: { total: 1, first: [{ kind: "tag", name: text, others: [text] }] },
      pictures: {
        made: 0,
        reused: 0,
        failed: 1,
        failures: [{ address: text, reason: "refused", detail: text }],
      },
      audit: { pages: 1, total: 1, findings: [text] },
    },
    {
      label: "partial",
      stopped: text,
      assumption: text,
      quarantined: 1,
      unread: [{ offset: 1, reason: text }],
      remarks: [text],
    },
  );

test("summaryOf() has what changed, what it cost and how long it took", () => {
  const summary = summaryOf(night());
  expect(summary).toMatch(/^## 1,234 quotes: 3 new, 2 changed, 1 removed$/m);
  expect(summary).toContain("| Label | complete:proved |");
  expect(summary).toContain("| Calls | 40 of 100 allowed |");
  expect(summary).toContain("| Calls left | about 460 of a quota of 500 |");
  expect(summary).toContain("| Waits | 1, 2.5 s of 1800.0 s allowed |");
  expect(summary).toContain("| In all | 123.0 s |");
});

test("summaryOf() has what the site is, and names copies only where some are", () => {
  const site = {
    ...{ built: "2026-11-21T03:20:00.000Z", snapshot: "s1", harvest: null, dataAsOf: null },
    ...{ quotes: 1_234, languages: { en: 1_234 }, pages: { home: 1, tag: 2 } },
    ...{ changes: { added: 3, changed: 0, removed: 0 }, thumbnails: null },
    ...{ files: 15_000, bytes: 4_000_000, copies: 4, audit: "unfinished" as const },
  };
  const pictures = { made: 1, reused: 2, failed: 0, failures: [] };
  const audit = { pages: 3, total: 0, findings: [] };
  const summary = summaryOf(night({ build: site, pictures, audit }));
  for (const row of [
    "| Copies | 4, each shown with the quote that says the same |",
    "| Pages | 3 |",
    "| Files | 15,000 of 20,000 allowed |",
    "| Bytes | 4.0 MB |",
    "| Pictures | 1 made, 2 reused, 0 failed |",
    "| Audit | 3 pages, nothing found |",
  ])
    expect(summary).toContain(row);
  expect(summaryOf(night({ build: { ...site, copies: 0 } }))).not.toContain("Copies");
});

test("summaryOf() draws the builds before this one, and marks those that were not calm", () => {
  const builds = [
    build(0, { quotes: 100, calls: 10 }),
    build(1, { quotes: 150, calls: 10, label: "partial" }),
    build(2, { quotes: null, calls: null, status: 69 }),
    build(3, { quotes: 200, calls: 10, waitedMs: 5_000 }),
  ];
  const summary = summaryOf(night(), builds);
  expect(summary).toContain("| Quotes | ▁▅\u2007█ |");
  expect(summary).toContain("| Calls | ▄▄\u2007▄ |");
  expect(summary).toContain("| ·◐✗… |");
  expect(summaryOf(night(), builds.slice(0, 1))).not.toContain("The last builds");
  const many = Array.from({ length: 90 }, (_, day) => build(day));
  expect(/\| Quotes \| ([▁-█]+) \|/.exec(summaryOf(night(), many))?.[1]).toHaveLength(60);
});

test("summaryOf() of a run that failed has the next step", () => {
  const summary = summaryOf(night({ status: 69, failure: "Cannot reach quotes.example: refused" }));
  expect(summary).toMatch(/^## The run ended with status 69\n\n\*\*Cannot reach quotes\\\.example/);
  expect(summary).toContain("Keep the last site, the next run tries again.");
});

test.each(HOSTILE)("summaryOf() shows %j as text", (text) => {
  const summary = summaryOf(hostileNight(text));
  const shape = summaryOf(hostileNight("calm"));
  const kinds = (markdown: string): string[] =>
    markdown.split("\n").map((line) => /^(?:#+ |\| |\|-|- |\*\*)?/.exec(line)?.[0] ?? "");
  expect(kinds(summary)).toEqual(kinds(shape));
  expect(summary).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E\u2066]/);
  // Not one mark that Markdown or HTML would act upon is left without its backslash.
  const upstream = summary.split("\n").filter((line) => line.startsWith("- "));
  expect(upstream.length).toBeGreaterThan(3);
  for (const line of upstream) {
    const rest = line.slice(2).replace(/^tag \*\*(.*)\*\*: /, "$1");
    expect(rest.replace(/\\[^\w\s]/g, "")).not.toMatch(/[\\`*_[\]<>#|~@!$]|:\/\/|www\./);
  }
});

test.each(HOSTILE)("annotationsOf() writes one command a line for the text %j", (text) => {
  const lines = annotationsOf(hostileNight(text));
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) {
    expect(line).toMatch(/^::(?:warning|error) title=[^:\r\n,]+::[^\r\n\u001b]*$/);
  }
});

test("annotationsOf() warns of what is worth a look, and of nothing else", () => {
  expect(annotationsOf(night())).toEqual([]);
  expect(annotationsOf(night({}, { calls: 95 }))).toEqual([
    "::warning title=Budget nearly spent::Calls: 95 %25",
  ]);
  expect(annotationsOf(night({ dataAsOf: "2026-11-01T00:00:00.000Z" }))).toEqual([
    "::warning title=Old data::The quotes were read on 2026-11-01T00:00:00.000Z",
  ]);
});

test("spentShares() leaves out what has no limit, and what was not spent", () => {
  expect(spentShares(night())).toEqual([["Calls", 0.4]]);
  const budget = { calls: null, waitMs: 0, files: null, bytes: null };
  expect(spentShares(night({ budget }, { quota: null }))).toEqual([]);
});

test("annotationsOf() gives one warning for a run that stopped early with nothing to publish", () => {
  const stopped = "Cannot send more than 20 requests: the budget is spent";
  const early = night({ status: 75, failure: stopped }, { label: "partial", stopped });
  expect(annotationsOf(early)).toEqual([
    `::warning title=Exit 75::${stopped}. The next run continues from here.`,
  ]);
});

test("command() escapes as the runner reads it", () => {
  expect(command("warning", "a:b,c%", "50 %\n::x")).toBe(
    "::warning title=a%3Ab%2Cc%25::50 %25 ::x",
  );
});

test.each([
  ["::error::x", ": :error::x"],
  ["  ::error::x", "  : :error::x"],
  ["a ::error::x", "a ::error::x"],
  ["a ##[error]x", "a ## [error]x"],
])("disarmCommands(%j)", (line, expected) => {
  expect(disarmCommands(line)).toBe(expected);
});

test("printable() is one line of at most so many letters", () => {
  expect(printable("a\nb\u2028c\u001b[0m")).toBe("a b c [0m");
  expect(Array.from(printable("😀".repeat(20), 10))).toHaveLength(10);
});

test.each(HOSTILE)("printableJson() of %j reads the same and is no command to anything", (text) => {
  const value = { [text]: [text, "##[error]", "a\u009b2Jb\u202e\u2028"] };
  const json = printableJson(value);
  expect(JSON.parse(json)).toEqual(value);
  expect(json).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]|##\[|^\s*::/m);
});
