/** The client: pages of a service over HTTP, with its pace, its retries and its ledger. */
export { askOnce } from "./ask-once.ts";
export { Client } from "./client.ts";
export { RUNTIME } from "./connection.ts";
export { type GetTags, quoteOfTheDayOf, quotesOf, tagsOf } from "./quotes.ts";
