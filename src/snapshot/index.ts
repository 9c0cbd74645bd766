/** What later stages read of a harvest: the published snapshot. */
export {
  openPublished,
  type NameCount,
  type NewDay,
  type PublishedSnapshot,
} from "./published/read.ts";
