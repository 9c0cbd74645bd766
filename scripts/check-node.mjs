/** Ends a command with one line if Node is too old. Any version of Node may run this file, so it uses no new features. */
import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** The oldest version that runs the program, such as "24.15". */
const wanted = manifest.engines.node.replace(">=", "");

/** Platforms for which `npm ci`, run by an older Node, installs a newer one. */
const SUPPORTED = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-x64"];

/** @param {string} version */
const numbers = (version) => version.split(".").map(Number);

function isOlder() {
  const [here, there] = [numbers(process.versions.node), numbers(wanted)];
  const place = there.findIndex((number, at) => number !== here[at]);
  return place !== -1 && (here[place] ?? 0) < (there[place] ?? 0);
}

/** The installed Node for Linux needs glibc. */
function platform() {
  // Without this, the report resolves the names of other machines.
  process.report.excludeNetwork = true;
  const name = `${process.platform}-${process.arch}`;
  if (process.platform !== "linux") return name;
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (
    process.report.getReport()
  );
  return header.glibcVersionRuntime === undefined ? `${name}-musl` : name;
}

/** A project that uses the package installs no Node. */
const isInstalled = /\/node_modules\//.test(import.meta.url);

function how() {
  if (isInstalled) return "install it, for instance from nodejs.org";
  const here = platform();
  return SUPPORTED.includes(here)
    ? "npm ci installs it, and npm run uses it"
    : `no package has it for ${here}, so install Node ${wanted} there`;
}

if (isOlder()) {
  process.stderr.write(
    `Cannot run on Node ${process.versions.node}: Node ${wanted} or later is needed; ${how()}\n`,
  );
  process.exit(78);
}
