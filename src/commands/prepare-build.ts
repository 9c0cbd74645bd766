/** The module that makes the plan: a command starts it before it loads Astro, whose integration waits for it. */
export const PREPARE_BUILD = new URL("../site/prepare-build.ts", import.meta.url);
