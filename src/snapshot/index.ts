/** The state of a collection: the working database of a harvest, and the published snapshots. */
export { exportQuotes } from "./export.ts";
export { takeLock, takeOutputLock } from "./lock.ts";
export {
  countCurated,
  type CuratedRead,
  Draft,
  type Missing,
  type Names,
} from "./published/draft.ts";
export {
  countFieldLosses,
  countRenumbered,
  type FieldLoss,
  findGap,
  findMissedBefore,
  findNeighbours,
  findUnprobed,
  type Gap,
  type Turnover,
  type KnownQuote,
  saveUnprobed,
} from "./published/gap.ts";
export { listKeptSnapshots, pruneSnapshots, useSnapshot } from "./published/history.ts";
export { isIntact, listSnapshots, readPointer, snapshotPath } from "./published/pointer.ts";
export { openPublishedLengths } from "./published/lengths.ts";
export { publish } from "./published/publish.ts";
export { openPublished, type PublishedSnapshot, requirePublished } from "./published/read.ts";
export { openIntact, openIntactWork, recoverPublished } from "./recover.ts";
export { openLedger } from "./work/ledger.ts";
export { Run } from "./work/run.ts";
