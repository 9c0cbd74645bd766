import { join } from "node:path";
import { expect, test } from "vitest";
import { Database } from "../../src/sqlite/database.ts";
import { tempFolder } from "../support/run/index.ts";

test("a transaction that fails leaves nothing, and the next one is possible", () => {
  using database = new Database(join(tempFolder(), "one.sqlite"));
  database.exec("CREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT");
  const add = (id: number): number => database.run("INSERT INTO notes VALUES (?)", id);
  expect(() =>
    database.transaction(() => {
      add(1);
      throw new Error("in the middle");
    }),
  ).toThrow("in the middle");
  database.transaction(() => add(2));
  expect(database.column("SELECT id FROM notes")).toEqual([2]);
});
