/** What later stages read of a harvest: the published snapshot. */
export type { NameCount, NewDay, PublishedSnapshot } from "./published/published-snapshot.ts";
export { openPublished, openSnapshot } from "./published/read.ts";
