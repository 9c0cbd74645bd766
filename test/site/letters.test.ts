/** Faces cut to a few words: cut once, kept in the state folder, and cut again where a file of them is damaged. */
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { makeSnapshot } from "../support/snapshot/index.ts";
import { tempFolder } from "../support/run/index.ts";

/** As a build does that has just begun. */
async function build(): Promise<{ faces: Map<string, string>; forget: () => void }> {
  vi.resetModules();
  const { LETTER_SETS, letterFiles, forgetFaces } = await import("../../src/layouts/letters.ts");
  const faces = new Map<string, string>();
  for (const set of LETTER_SETS) {
    for (const [file, content] of (await letterFiles(set)).files) {
      if (typeof content !== "string") faces.set(file, Buffer.from(content).toString("base64"));
    }
  }
  return { faces, forget: forgetFaces };
}

test("a face is kept, taken from there, cut again when it is damaged, and forgotten when no page needs it", async () => {
  const stateDir = tempFolder();
  const folder = join(stateDir, "letters");
  const kept = (): Map<string, string> =>
    new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "base64")]));
  makeSnapshot({
    stateDir,
    stamp: "20261110T020300000Z",
    quotes: [
      { id: 1, language: "he", text: "שלום" },
      { id: 2, language: "en", text: "Peace" },
    ],
  });
  vi.stubEnv("STATE_DIR", stateDir);
  const first = await build();
  expect(first.faces.size).toBeGreaterThan(0);
  expect(kept()).toEqual(new Map([...first.faces].sort()));

  const [name = ""] = first.faces.keys();
  const path = join(folder, name);
  const marked = Buffer.from(readFileSync(path));
  marked.writeUInt8(marked.readUInt8(marked.length - 1) ^ 1, marked.length - 1);
  writeFileSync(path, marked);
  expect((await build()).faces.get(name)).toBe(marked.toString("base64"));

  truncateSync(path, 20);
  const again = await build();
  expect(again.faces).toEqual(first.faces);

  writeFileSync(join(folder, "hebrew-0000000000000000.woff2"), "of an earlier build");
  again.forget();
  expect(kept()).toEqual(new Map([...first.faces].sort()));
});
