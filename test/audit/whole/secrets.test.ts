/** A secret in any of its encodings, in any kind of file, in a page or another folder, is found, and never printed. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { lineOf } from "../../../src/audit/finding.ts";
import { SEARCHED_FILE } from "../../../src/audit/passed.ts";
import { Database } from "../../../src/sqlite/database.ts";
import { CAN_LINK, tempFolder } from "../../support/run/index.ts";
import { auditAgain, auditWith, FOOTER, page, writeSite } from "../site.ts";

const VALUE = "cnry/7f3A+c41&b9e05d";
const secrets = [{ name: "QUOTES_TOKEN", value: VALUE }];
const audit = (files: Parameters<typeof auditWith>[0], options: object = {}) =>
  auditWith(files, { secrets, ...options });

const NOISE = randomBytes(30_000).toString("hex");

/** With another value in the place of one byte, counted from the end. */
function changed(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8((copy.at(at) ?? 0) ^ 0xff, copy.length + at);
  return copy;
}

/** Deflated bytes behind a header of gzip that has a field, a name and a comment. */
const named = (deflated: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 4 + 8 + 16, 0, 0, 0, 0, 0, 3, 2, 0, 7, 7]),
    Buffer.from("a.txt\0of a comment\0"),
    deflated,
  ]);

const HIDING_PLACES: Readonly<Record<string, Buffer | string>> = {
  "404.html": page(`<!-- ${VALUE} -->`, FOOTER, '<meta name="robots" content="noindex">'),
  "across-two-chunks.bin": Buffer.concat([Buffer.alloc((1 << 20) - 7), Buffer.from(VALUE)]),
  "compressed.pf_index": gzipSync(`${"x".repeat(100_000)}${VALUE}`),
  "compressed.html.br": brotliCompressSync(VALUE),
  "tail-of-cut.gz": gzipSync(NOISE + VALUE).subarray(0, -8),
  "wrong-sum.gz": changed(gzipSync(NOISE + VALUE), -6),
  "wrong-sum.zz": changed(deflateSync(NOISE + VALUE), -2),
  "damaged-after.gz": Buffer.concat([
    named(
      deflateRawSync(NOISE + VALUE + NOISE.slice(0, 99), { finishFlush: constants.Z_SYNC_FLUSH }),
    ),
    Buffer.alloc(50, 0xff),
  ]),
  "in-utf-16.txt": Buffer.from(VALUE, "utf16le"),
  "base64.js": `"${Buffer.from(`Token ${VALUE}`).toString("base64")}"`,
};

test("auditSite() finds a secret in pages, binary files and compressed ones, and does not show it", async () => {
  const { findings, counts } = await audit(HIDING_PLACES);
  expect(counts).toEqual({ secret: 10 });
  expect(findings.map((finding) => finding.page).sort()).toEqual(
    Object.keys(HIDING_PLACES)
      .map((file) => file.replace("404", "/404"))
      .sort(),
  );
  expect(findings.map(lineOf).join()).not.toContain(VALUE.slice(0, 6));
  expect(findings.find((finding) => finding.page.startsWith("across"))?.detail).toBe(
    `QUOTES_TOKEN, as it is, at byte ${(1 << 20) - 7}`,
  );
});

test("auditSite() finds a secret in a name, and neither reports nor stores that name", async () => {
  const name = `x-${Buffer.from(VALUE).toString("hex")}.txt`;
  const site = writeSite({ [name]: "x", [`${VALUE}?`]: "x" });
  const { findings, counts } = await auditAgain(site, { secrets });
  expect(counts).toEqual({ secret: 2, "unsafe file name": 1 });
  expect(findings.map(lineOf)).toContain(
    "secret: x-….txt: QUOTES_TOKEN, lower-case hexadecimal, in its name",
  );
  expect(JSON.stringify(findings)).not.toContain(VALUE);
  // Once the files are gone, so is all that the audit knew of them.
  writeSite({}, site);
  expect(await auditAgain(site, { secrets })).toMatchObject({ total: 0 });
});

/** A state folder with a database that keeps the secret in two pieces. */
function stateThatCuts(): string {
  const folder = tempFolder("state");
  const path = join(folder, "x.sqlite");
  const database = new Database(path);
  database.exec("PRAGMA journal_mode = DELETE; CREATE TABLE t (a TEXT, b INTEGER)");
  for (let before = 400; before < 4_600; before += 12) {
    const value = " ".repeat(before) + VALUE + " ".repeat(9_000 - before);
    database.exec("DELETE FROM t; VACUUM");
    database.run("INSERT INTO t VALUES (?, ?)", value, 2n ** 62n);
    if (!readFileSync(path).includes(VALUE)) break;
  }
  database.close();
  return folder;
}

test("auditSite() finds a secret in a database that cut it in two", async () => {
  const folder = stateThatCuts();
  expect(readFileSync(join(folder, "x.sqlite")).includes(VALUE)).toBe(false);
  expect((await audit({}, { stateDir: folder })).findings).toMatchObject([
    { kind: "secret", page: "state folder, x.sqlite" },
  ]);
});

test.skipIf(!CAN_LINK)(
  "auditSite() searches the state folder, but no folder behind a link",
  async () => {
    const folder = tempFolder("state");
    const elsewhere = tempFolder("elsewhere");
    mkdirSync(join(folder, "bundle"));
    symlinkSync(elsewhere, join(folder, "bundle", "node_modules"));
    writeFileSync(join(elsewhere, "a"), VALUE);
    expect((await audit({}, { stateDir: folder })).total).toBe(0);
    writeFileSync(join(folder, "bundle", "log"), `Authorization: Token ${VALUE}`);
    const found = [{ page: "state folder, bundle/log" }];
    expect((await audit({}, { stateDir: folder })).findings).toMatchObject(found);
    // Threads search it where it is large.
    writeFileSync(join(folder, "large"), Buffer.alloc(1 << 25));
    expect((await audit({}, { stateDir: folder })).findings).toMatchObject(found);
  },
);

test("auditSite() reports a secret that is too short to be searched for", async () => {
  const short = [{ name: "QUOTES_TOKEN", value: "1234567" }];
  const report = await auditWith({ "x.txt": "1234567" }, { secrets: short });
  expect(report).toMatchObject({ total: 0, secrets: { searched: [], tooShort: ["QUOTES_TOKEN"] } });
});

test("a state folder is searched again only where it changed", async () => {
  const stateDir = tempFolder("state");
  writeFileSync(join(stateDir, "log"), "nothing yet");
  const again = () => audit({}, { stateDir });
  expect(await again()).toMatchObject({ total: 0 });
  const database = new Database(join(stateDir, SEARCHED_FILE));
  const keys = () => database.all<{ key: string }>("SELECT key FROM files WHERE file = 'log'");
  const [before] = keys();
  writeFileSync(join(stateDir, "log"), `now ${VALUE}`);
  expect(await again()).toMatchObject({ total: 1, counts: { secret: 1 } });
  // It is found as long as it is there, though the file does not change.
  expect(await again()).toMatchObject({ total: 1, counts: { secret: 1 } });
  expect([before?.key, keys()]).toEqual([expect.any(String), [{ key: null }]]);
  database.close();
});
