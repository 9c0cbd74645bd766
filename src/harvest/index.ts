/** The harvest: reads a service, and publishes its quotes as a snapshot. */
export { estimateHarvest } from "./run/estimate.ts";
export { harvest } from "./run/harvest.ts";
