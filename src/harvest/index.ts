/** The harvest: reads a service, and publishes its quotes as a snapshot. */
export { estimate } from "./run/estimate.ts";
export { harvest } from "./run/harvest.ts";
export { serviceKey } from "./run/session.ts";
