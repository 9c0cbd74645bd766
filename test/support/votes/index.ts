/** The far ends of a vote: a service that records votes, and the relay. */
export * from "./relay.ts";
export * from "./vote-server.ts";
