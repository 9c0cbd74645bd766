/** Quotes for tests, and published snapshots of them. */
export * from "./make-snapshot.ts";
export * from "./published.ts";
export * from "./real-quotes.ts";
export * from "./site-quotes.ts";
