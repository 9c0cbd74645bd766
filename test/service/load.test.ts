/** Data files for the service, as other programs write them. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { tempFolder } from "../support/run/index.ts";
import { embedded } from "./support/running.ts";

const LINES = '{"quote":"One."}\n{"quote":"Two."}\n';

test.each([
  ["plain", Buffer.from(LINES)],
  ["gzipped", gzipSync(LINES)],
  ["with the line ends of Windows", Buffer.from(LINES.replaceAll("\n", "\r\n"))],
  ["with a byte order mark", Buffer.from(`\uFEFF${LINES}`)],
])("a data file is read %s", async (_, bytes) => {
  const data = join(tempFolder("load"), "quotes.ndjson");
  writeFileSync(data, bytes);
  const { store } = await embedded({ data });
  expect([...store.quotes()].map(({ pk, quote }) => [pk, quote])).toEqual([
    [1, "One."],
    [2, "Two."],
  ]);
});

const ENDLESS = existsSync("/dev/zero") ? "" : " (skipped: this system has no /dev/zero)";
test.skipIf(ENDLESS !== "")(
  `a data file that never ends is refused${ENDLESS}`,
  { tags: "long" },
  async () => {
    await expect(embedded({ data: "/dev/zero" })).rejects.toThrow(
      "Cannot load /dev/zero: 256 MB follow without a line",
    );
  },
);

test.each(["file:quotes?mode=memory", "FILE:x", ":memory:", ""])(
  "a database %j that would keep nothing is refused",
  async (db) => {
    await expect(embedded({ db })).rejects.toThrow(`Cannot use --db ${db}: expected the path`);
  },
);
