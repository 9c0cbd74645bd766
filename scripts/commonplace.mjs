#!/usr/bin/env node
/** The program `commonplace`: a Node that is new enough, its compile cache, and then the command line. */
import "./compile-cache.mjs";

const { main } = await import("../src/commands/main.ts");
await main();
