/** Files that the program writes: replaced whole, never through a link, and only in its own folders. */
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { homedir } from "node:os";
import { spawnSync } from "node:child_process";
import { dirname, join, parse } from "node:path";
import { expect, test } from "vitest";
import { ConfigurationError, DiskError } from "../../src/contract/errors.ts";
import { atomicWrite } from "../../src/files/disk.ts";
import {
  Folders,
  refuseLinksIn,
  refuseForeignFolder,
  refuseSpecialFiles,
} from "../../src/files/folders.ts";
import { filesBelow } from "../../src/files/walk.ts";
import { CAN_LINK, emptyFiles, folderWith, tempFolder } from "../support/run/index.ts";

/** An empty folder, and a folder of another project with a file. */
function folders() {
  const theirs = folderWith({ "precious.html": "precious" });
  return { ours: tempFolder("files"), theirs, precious: join(theirs, "precious.html") };
}

const contentOf = (path: string): string => readFileSync(path, "utf8");

test.each([[{}], [{ durable: true }]])("atomicWrite replaces a file whole: %j", (options) => {
  const path = join(tempFolder("write"), "file");
  atomicWrite(path, "first", options);
  atomicWrite(path, Buffer.from("second"), options);
  expect(contentOf(path)).toBe("second");
  atomicWrite(path, (file) => writeSync(file, "third"), options);
  expect(contentOf(path)).toBe("third");
  expect(readdirSync(dirname(path))).toEqual(["file"]);
});

test("atomicWrite keeps the file when writing fails", () => {
  const path = join(tempFolder("write"), "file");
  atomicWrite(path, "first");
  const fail = (file: number): void => {
    writeSync(file, "half");
    throw new RangeError("stop");
  };
  expect(() => atomicWrite(path, fail)).toThrow(RangeError);
  expect(contentOf(path)).toBe("first");
  atomicWrite(path, "second");
  expect(contentOf(path)).toBe("second");
});

test.skipIf(!CAN_LINK).each([
  ["symbolic", symlinkSync],
  ["hard", linkSync],
])("atomicWrite writes through no %s link at its temporary name", (_, link) => {
  const { ours, precious } = folders();
  link(precious, join(ours, "file.unfinished"));
  atomicWrite(join(ours, "file"), "new");
  expect(contentOf(precious)).toBe("precious");
  expect(contentOf(join(ours, "file"))).toBe("new");
});

test.skipIf(!CAN_LINK)("atomicWrite replaces a link and not what it leads to", () => {
  const { ours, precious } = folders();
  symlinkSync(precious, join(ours, "file"));
  atomicWrite(join(ours, "file"), "new");
  expect(contentOf(precious)).toBe("precious");
  expect(lstatSync(join(ours, "file")).isFile()).toBe(true);
});

test.skipIf(!CAN_LINK)("filesBelow lists files in order and enters no link", () => {
  const { ours, theirs, precious } = folders();
  folderWith(emptyFiles("b/2.txt", "a.txt", ".hidden/3.txt"), ours);
  symlinkSync(theirs, join(ours, "link"));
  symlinkSync(precious, join(ours, "page.html"));
  symlinkSync(join(theirs, "nothing"), join(ours, "broken"));
  expect([...filesBelow(ours)]).toEqual([".hidden/3.txt", "a.txt", "b/2.txt"]);
  expect([...filesBelow(ours, { links: "files" })]).toContain("page.html");
  expect([...filesBelow(ours, { links: "files" })]).not.toContain("link/precious.html");
  expect([...filesBelow(ours, { links: "all" })]).toEqual(
    expect.arrayContaining(["broken", "link", "page.html"]),
  );
  const enter = (folder: string): boolean => !folder.startsWith(".");
  expect([...filesBelow(ours, { enter })]).toEqual(["a.txt", "b/2.txt"]);
  expect(() => [...filesBelow(join(ours, "none"))]).toThrow(DiskError);
});

test.skipIf(!CAN_LINK)("a link that leads to itself is a failure of the disk, and no bug", () => {
  const { ours } = folders();
  const loop = join(ours, "loop");
  symlinkSync(loop, loop);
  const message = `Cannot read ${loop}: ELOOP`;
  expect(() => [...filesBelow(ours, { links: "files" })]).toThrow(new DiskError(message));
  expect(() => refuseLinksIn(ours, "folders")).toThrow(new DiskError(message));
});

test.skipIf(!CAN_LINK)(
  "Folders makes no folder behind a link, and removes none of its files",
  () => {
    const { ours, theirs, precious } = folders();
    mkdirSync(join(ours, "tag"));
    symlinkSync(theirs, join(ours, "tag/hope"));
    const below = new Folders(ours);
    const message = `Cannot use ${join(ours, "tag/hope")}: it is a link`;
    expect(() => below.make("tag/hope")).toThrow(message);
    expect(() => below.make("tag/hope/2")).toThrow(message);
    expect(() => below.removeFile("tag/hope/precious.html")).toThrow(DiskError);
    expect(existsSync(precious)).toBe(true);
    expect(readdirSync(theirs)).toEqual(["precious.html"]);
    below.make("tag/love/2");
    expect(lstatSync(join(ours, "tag/love/2")).isDirectory()).toBe(true);
    expect(() => refuseLinksIn(join(ours, "tag"))).toThrow(message);
    refuseLinksIn(ours);
  },
);

test.skipIf(!CAN_LINK)(
  "Folders removes a link and keeps its target, then the folders left empty",
  () => {
    const { ours, precious } = folders();
    const below = new Folders(ours);
    below.make("a/b");
    symlinkSync(precious, join(ours, "a/b/page.html"));
    writeFileSync(join(ours, "keep"), "");
    expect(below.removeFile("a/b/page.html")).toBe(true);
    expect(below.removeFile("a/b/page.html")).toBe(false);
    expect(readdirSync(ours)).toEqual(["keep"]);
    expect(contentOf(precious)).toBe("precious");
    below.make("a/b");
    expect(existsSync(join(ours, "a/b"))).toBe(true);
  },
);

const OURS = { isOurs: () => true, adopt: true, option: "--out", root: join(homedir(), "project") };

test.each([
  [parse(process.cwd()).root, "it is the root of the file system"],
  [homedir(), "it contains the project"],
  [dirname(homedir()), "it "],
  [OURS.root, "it is the project"],
])("refuseForeignFolder never takes %s, adopted or not", (folder, reason) => {
  expect(() => refuseForeignFolder({ ...OURS, folder })).toThrow(ConfigurationError);
  expect(() => refuseForeignFolder({ ...OURS, folder })).toThrow(
    `Cannot use --out ${folder}: ${reason}`,
  );
});

test("refuseForeignFolder never takes the home folder, wherever the project is", () => {
  const root = tempFolder("project");
  expect(() => refuseForeignFolder({ ...OURS, root, folder: homedir() })).toThrow(
    "it is your home folder",
  );
});

test.skipIf(!CAN_LINK)("refuseForeignFolder sees through links to the project", () => {
  const { ours, theirs } = folders();
  symlinkSync(theirs, join(ours, "link"));
  const claim = { ...OURS, root: theirs, folder: join(ours, "link") };
  expect(() => refuseForeignFolder(claim)).toThrow("it is the project");
});

const FIFOS = spawnSync("mkfifo", ["--version"]).error === undefined;
test.skipIf(!FIFOS)(
  "refuseSpecialFiles refuses a pipe at any depth, which would be read for ever",
  () => {
    const folder = folderWith(emptyFiles("memo.bin", "thumbnails/1.webp"));
    expect(() => refuseSpecialFiles(folder)).not.toThrow();
    for (const name of ["thumbnails/2.webp", "history.ndjson"]) {
      spawnSync("mkfifo", [join(folder, name)]);
      expect(() => refuseSpecialFiles(folder)).toThrow(
        new DiskError(
          `Cannot use ${join(folder, name)}: it is neither a file nor a folder; remove it`,
        ),
      );
    }
  },
);
