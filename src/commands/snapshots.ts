/** `npm run snapshots -- list | use ID | prune`: what is kept for going back, and going back to it. */
import { UsageError } from "../contract/errors.ts";
import type { Settings } from "../settings/settings.ts";
import { takeLock } from "../snapshot/lock.ts";
import { listKeptSnapshots, pruneSnapshots, useSnapshot } from "../snapshot/published/history.ts";
import { openIntactWork } from "../snapshot/recover.ts";
import type { Outcome, Program } from "./program.ts";

/** The published snapshot and the one before it. */
const KEPT_BY_PRUNE = 2;

export const snapshotsProgram: Program = {
  run: ({ settings, words = [] }) => Promise.resolve(act(words, settings)),
};

function act([action = "list", id, ...rest]: readonly string[], settings: Settings): Outcome {
  const { stateDir } = settings;
  if (rest.length > 0 || (action === "use") !== (id !== undefined)) throw usage();
  switch (action) {
    case "list":
      return list(stateDir);
    case "use":
      return locked(stateDir, () => {
        const current = useAgain(settings, id ?? "");
        const left = current === id ? "" : `, as ${current}, without what is gone since`;
        return {
          text: `${id ?? ""} is published${left}; "npm run render -- --whole" makes the site of it`,
          result: { current },
        };
      });
    case "prune":
      return locked(stateDir, () => {
        const removed = pruneSnapshots(stateDir, KEPT_BY_PRUNE);
        return { text: `${removed.length} snapshots removed`, result: { removed } };
      });
    default:
      throw usage();
  }
}

function useAgain({ stateDir, now }: Settings, id: string): string {
  const { value: work } = openIntactWork(stateDir);
  try {
    return useSnapshot(stateDir, id, work, now());
  } finally {
    work.close();
  }
}

function list(stateDir: string): Outcome {
  const kept = listKeptSnapshots(stateDir);
  const lines = kept.map(({ id, current, quotes, harvest }) =>
    [current ? "*" : " ", id, `${quotes} quotes`, harvest?.label ?? "damaged"].join("  "),
  );
  return { text: lines.join("\n") || "no snapshot yet", result: kept };
}

function locked(stateDir: string, work: () => Outcome): Outcome {
  const lock = takeLock(stateDir);
  try {
    return work();
  } finally {
    lock.release();
  }
}

function usage(): UsageError {
  return new UsageError(
    "Cannot read the command line: expected list, use ID or prune; see commonplace snapshots --help",
  );
}
