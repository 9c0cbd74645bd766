/** What is written into the site for its host, and what is left alone. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { marked, writeHostFiles } from "../../src/hosts/host-files.ts";
import { measureSite } from "../../src/files/walk.ts";
import { folderWith } from "../support/run/index.ts";

const NOTHING: ReadonlyMap<string, string> = new Map();

function write(outDir: string, files: Readonly<Record<string, string>>, before = NOTHING) {
  const wanted = new Map(Object.entries(files));
  return writeHostFiles({ outDir, wanted, before, isPublic: (name) => name === "vercel.json" });
}

test("writeHostFiles() leaves a page that came back, and one that it never wrote", () => {
  const outDir = folderWith({ "tag/a/index.html": "a page" });
  expect(write(outDir, { "tag/a/index.html": "moved" }).kept).toEqual(["tag/a/index.html"]);
  const { files } = write(outDir, { "tag/b/index.html": "moved" });
  writeFileSync(join(outDir, "tag/b/index.html"), "a page again");
  write(outDir, {}, files);
  expect(readFileSync(join(outDir, "tag/a/index.html"), "utf8")).toBe("a page");
  expect(readFileSync(join(outDir, "tag/b/index.html"), "utf8")).toBe("a page again");
});

test("writeHostFiles() keeps a file of public/, and writes over its own though the state is lost", () => {
  const outDir = folderWith({ "vercel.json": "{}", _headers: "of a build before\n" });
  const report = write(outDir, { "vercel.json": "ours", _headers: "new\n" });
  expect(report.kept).toEqual(["vercel.json"]);
  expect(readFileSync(join(outDir, "vercel.json"), "utf8")).toBe("{}");
  expect(readFileSync(join(outDir, "_headers"), "utf8")).toBe("new\n");
});

test("writeHostFiles() removes a file of the host before, though the state is lost, and no other program's", () => {
  const ours = marked("/old/ /new/ 301\n");
  const there = (files: Record<string, string>) => {
    const outDir = folderWith(files);
    write(outDir, {});
    return Object.keys(files).filter((name) => existsSync(join(outDir, name)));
  };
  expect(there({ _headers: marked("/*\n  X-A: 1\n"), _redirects: ours })).toEqual([]);
  expect(there({ _redirects: "/old/ /new/ 301\n" })).toEqual(["_redirects"]);
  expect(there({ _redirects: `${ours}/mine/ /new/ 301\n` })).toEqual(["_redirects"]);
  expect(there({ _redirects: `# mine\n${ours}` })).toEqual(["_redirects"]);
  expect(there({ "vercel.json": ours, "tag/_redirects": ours })).toHaveLength(2);
});

test("writeHostFiles() keeps a copy of a generated file in public/", () => {
  const text = marked("/*\n  X-A: 1\n");
  const outDir = folderWith({ _headers: text });
  const report = writeHostFiles({ outDir, wanted: NOTHING, before: NOTHING, isPublic: () => true });
  expect(report.changed).toBe(0);
  expect(readFileSync(join(outDir, "_headers"), "utf8")).toBe(text);
});

test("measureSite() counts files, folders, bytes and the fullest folder", () => {
  const outDir = folderWith({
    "index.html": "123",
    "a/b/c/one": "12345",
    "a/b/c/two": "",
    "a/d": "1",
  });
  const counts = { files: 4, folders: 3, bytes: 9, largestFile: 5, mostFiles: 2 };
  expect(measureSite(outDir)).toEqual(counts);
});
