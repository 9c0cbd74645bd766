/** Servers on a real socket that fail on demand, and a client to try against them. */
export * from "./client.ts";
export * from "./fault-server.ts";
export * from "./free-port.ts";
export * from "./proxy.ts";
export * from "./replies.ts";
