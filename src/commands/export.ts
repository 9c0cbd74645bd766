/** `npm run export`: the published snapshot on stdout. */
import { StoppedEarly } from "../contract/errors.ts";
import { exportQuotes } from "../snapshot/export.ts";
import { openPublished } from "../snapshot/index.ts";
import type { Program } from "./program.ts";

export const exportProgram: Program = {
  async run({ settings }) {
    const snapshot = openPublished(settings.stateDir);
    if (snapshot === null) {
      throw new StoppedEarly(
        `Cannot export ${settings.stateDir}: nothing was harvested yet; run "npm run harvest" first`,
      );
    }
    try {
      await exportQuotes(snapshot, process.stdout);
    } finally {
      snapshot.close();
    }
    return {};
  },
};
