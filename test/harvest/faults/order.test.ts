/** The order in which a night makes its result durable (docs/walk.md, section 9). */
import { expect, test } from "vitest";
import { tempFolder } from "../../support/run/index.ts";
import { programOf } from "./night.ts";
import { callsOf, isRename, STRACE_WORKS } from "./strace.ts";

test.skipIf(!STRACE_WORKS)(
  "needs strace: a night syncs and renames the snapshot, then the pointer",
  () => {
    const state = tempFolder();
    const lines = callsOf(programOf(state, 0))
      .filter((call) => isRename(call) || call.name.endsWith("sync"))
      .map(({ name, text }) => {
        const files = [...text.matchAll(/["<]([^">]*)[">]/g)].map(([, path = ""]) =>
          path.replace(`${state}/`, "").replace(/(?:\d+-)?\d{8}T\w+-\w{8}/, "ID"),
        );
        return [name.replace(/^fdata/, "f"), ...files].join(" ").replace(state, ".");
      })
      .filter((line) => !/ (work\.sqlite|lock)/.test(line));
    // SQLite syncs the folder once it has made its log.
    const own = lines.slice(lines.findIndex((line) => line.includes("snapshots/")));
    expect(own).toEqual([
      "fsync snapshots/next.unfinished",
      "rename snapshots/next.unfinished snapshots/ID.sqlite",
      "fsync snapshots",
      "fsync current.unfinished",
      "rename current.unfinished current",
      "fsync .",
    ]);
  },
);
