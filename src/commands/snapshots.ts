/** `npm run snapshots -- list | use ID | prune`: what is kept for going back, and going back to it. */
import { parseArgs } from "node:util";
import { UsageError } from "../contract/errors.ts";
import { COMMON_OPTIONS } from "../settings/options.ts";
import type { Settings } from "../settings/settings.ts";
import { takeLock } from "../snapshot/lock.ts";
import { keptSnapshots, pruneSnapshots, useSnapshot } from "../snapshot/published/history.ts";
import { openTrustedWork } from "../snapshot/recover.ts";
import type { Outcome, Program } from "./program.ts";

/** The published snapshot and the one before it. */
const KEPT_BY_PRUNE = 2;

/** Takes the words that belong to no option out of a command line: `list`, `use ID`. */
export function takeWords(argv: string[]): string[] {
  const options = Object.fromEntries(
    Object.entries(COMMON_OPTIONS).map(([name, option]) => [
      name,
      { type: "value" in option ? ("string" as const) : ("boolean" as const) },
    ]),
  );
  const args = argv.slice(2);
  const { tokens } = parseArgs({
    args,
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const words = tokens.filter((token) => token.kind === "positional");
  for (const { index } of words.toReversed()) argv.splice(2 + index, 1);
  return words.map(({ value }) => value);
}

/** @param words what follows the options: the action, and for `use` an id */
export function snapshotsProgram(words: readonly string[]): Program {
  return {
    name: "snapshots",
    summary:
      "Lists the snapshots that are kept (list), publishes one again (use ID), clears away old ones (prune).",
    options: COMMON_OPTIONS,
    run: ({ settings }) => Promise.resolve(act(words, settings)),
  };
}

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
  const { value: work } = openTrustedWork(stateDir);
  try {
    return useSnapshot(stateDir, id, work, now());
  } finally {
    work.close();
  }
}

function list(stateDir: string): Outcome {
  const kept = keptSnapshots(stateDir);
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
  return new UsageError("Cannot read the command line: expected list, use ID or prune");
}
