#!/usr/bin/env node
/** The program `commonplace`: checks Node, enables its compile cache, and runs the command line. */
import "./compile-cache.mjs";

const { main } = await import("../src/commands/main.ts");
await main();
