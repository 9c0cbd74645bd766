/** Settings, folders and processes of a run. */
export * from "./command.ts";
export * from "./settings.ts";
export * from "./temp-folder.ts";
export * from "./random.ts";
export { CORE, keepOnOneCore, runWarm } from "./warm.ts";
