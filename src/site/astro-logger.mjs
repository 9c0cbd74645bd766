/**
 * Astro's logger: writes warnings and errors to stderr, without a line for each page.
 *
 * JavaScript, since Astro loads it before it can load TypeScript. `config.info` adds information, for the dev server.
 */
import { stripVTControlCharacters } from "node:util";

/** Errors that a build also throws: the command prints them once. */
const THROWN = /^Caught error rendering|Build failed|^An unhandled error occurred while running/;

/** Loaders of content collections, which only log that a file is invalid or missing. */
const LOADER = /^(?:file|glob)-loader$/;

/** A warning about what every build asks for, so that no store of another machine is used. */
const WANTED = "data store cleared (force)";

/** @param {{ info?: boolean }} [config] */
export default function logger(config = {}) {
  const shown = new Set(config.info === true ? ["info", "warn", "error"] : ["warn", "error"]);
  return {
    /** @param {{ level: string, label: string | null, message: string }} line */
    write({ level, label, message }) {
      if (!shown.has(level) || message === WANTED) return;
      const isLost = level === "error" && LOADER.test(label ?? "");
      if (isLost && config.info !== true) throw new Error(message);
      const isThrown = label === null || THROWN.test(message);
      if (level === "error" && isThrown && config.info !== true) return;
      // Astro formatted the lines of these labels itself.
      const isPlain = label === null || label === "SKIP_FORMAT";
      const text = isPlain ? `${message}\n` : `[${label}] ${message}\n`;
      // The bundler colours its messages everywhere.
      process.stderr.write(process.stderr.isTTY ? text : stripVTControlCharacters(text));
    },
  };
}
