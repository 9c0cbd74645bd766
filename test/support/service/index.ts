/** A quotes service over a real socket, and a state folder that is harvested from it. */
export * from "./harvests.ts";
export * from "./collection.ts";
export * from "./service-of.ts";
