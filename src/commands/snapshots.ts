/** `npm run snapshots -- list | use ID | prune`: lists the kept snapshots, publishes an earlier one, removes old ones. */
import { counted } from "../util/text.ts";
import { UsageError } from "../contract/errors.ts";
import {
  listKeptSnapshots,
  listSnapshots,
  openIntactWork,
  pruneSnapshots,
  takeLock,
  useSnapshot,
} from "../snapshot/index.ts";
import type { Outcome, ProgramContext } from "./program.ts";

/** The published snapshot and the one before it. */
const KEPT_BY_PRUNE = 2;

export function run({ settings, words }: ProgramContext): Outcome {
  const [action = "list", id] = words;
  if ((action === "use") !== (id !== undefined)) {
    throw new UsageError(
      "Cannot read the command line: expected list, use ID or prune; see astro-commonplace snapshots --help",
    );
  }
  const { stateDir, now } = settings;
  if (action === "list") return list(stateDir);
  // A folder without snapshots may be a mistyped name, so nothing is written to it.
  if (listSnapshots(stateDir).length === 0) {
    if (id !== undefined)
      throw new UsageError(
        `Cannot use ${stateDir}: it has no snapshots; name the folder with --state, or run "npm run harvest" first`,
      );
    return { text: "0 snapshots removed", result: { removed: [] } };
  }
  using _lock = takeLock(stateDir);
  if (id === undefined) {
    const removed = pruneSnapshots(stateDir, KEPT_BY_PRUNE);
    return { text: `${counted(removed.length, "snapshot")} removed`, result: { removed } };
  }
  using work = openIntactWork(stateDir);
  const current = useSnapshot(stateDir, id, work, now());
  const left = current === id ? "" : `, as ${current}, without what is gone since`;
  return {
    text: `${id} is published${left}; "npm run render -- --whole" makes the site of it`,
    result: { current },
  };
}

function list(stateDir: string): Outcome {
  const kept = listKeptSnapshots(stateDir);
  const lines = kept.map(({ id, current, quotes, harvest }) =>
    [current ? "*" : " ", id, counted(quotes, "quote"), harvest?.label ?? "damaged"].join("  "),
  );
  return { text: lines.join("\n") || "no snapshot yet", result: kept };
}
