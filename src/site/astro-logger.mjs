/**
 * What Astro says, without its line for each page: warnings and errors, on stderr.
 *
 * Astro loads this by itself and takes JavaScript alone here. `config.info` lets the rest through, for the dev server.
 */

/** What a build throws as well: the command says it once. */
const THROWN = /^Caught error rendering|Build failed/;

/** What reads the files of a collection. It says that one is no JSON or is missing, and goes on without its entries. */
const LOADER = /^(?:file|glob)-loader$/;

/** @param {{ info?: boolean }} [config] */
export default function logger(config = {}) {
  const shown = new Set(config.info === true ? ["info", "warn", "error"] : ["warn", "error"]);
  return {
    /** @param {{ level: string, label: string | null, message: string }} line */
    write({ level, label, message }) {
      if (!shown.has(level)) return;
      const isLost = level === "error" && LOADER.test(label ?? "");
      if (isLost && config.info !== true) throw new Error(message);
      const isThrown = label === null || THROWN.test(message);
      if (level === "error" && isThrown && config.info !== true) return;
      // The label of lines that Astro has laid out itself.
      const isPlain = label === null || label === "SKIP_FORMAT";
      process.stderr.write(isPlain ? `${message}\n` : `[${label}] ${message}\n`);
    },
  };
}
