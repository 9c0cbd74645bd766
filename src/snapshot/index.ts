/** The part of this folder that later stages use: the published snapshot. */
export { openPublished, requirePublished, type PublishedSnapshot } from "./published/read.ts";
