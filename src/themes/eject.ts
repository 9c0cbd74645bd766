/** The text of an override of a component: a copy with imports by public names, or a wrapper of one that others rely on. */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UsageError } from "../contract/errors.ts";
import { PACKAGE_ROOT } from "../files/roots.ts";
import { COMPONENTS, PROPS_MODULE, type ComponentRow } from "./components.ts";
import { whereTo } from "./idle-overrides.ts";
import { slashes } from "./overrides.ts";

export interface Ejected {
  /** Below `src`, and below `site`. */
  readonly file: string;
  readonly use: ComponentRow["use"];
  readonly text: string;
}

/**
 * @param name such as `Masthead`, or with its folders, `components/chrome/Masthead.astro`
 * @throws {UsageError} for a component that is private, or that there is none of
 */
export function ejected(name: string): Ejected {
  const wanted = name.replace(/^src\//, "").replace(/\.astro$/, "");
  const found = Object.entries(COMPONENTS).find(
    ([path]) => path === wanted || basename(path).toLowerCase() === wanted.toLowerCase(),
  );
  if (found === undefined) {
    throw new UsageError(`Cannot eject ${JSON.stringify(name)}: ${whereTo(`${wanted}.astro`)}`);
  }
  const [path, { use, props }] = found;
  if (use === "private" || props === null) {
    throw new UsageError(
      `Cannot eject ${name}: it is private, and any version may change it; docs/components.md lists the others`,
    );
  }
  const text = use === "replace" ? copyOf(path) : wrapperOf(path, props);
  return { file: `${path}.astro`, use, text };
}

function copyOf(path: string): string {
  const text = readFileSync(join(PACKAGE_ROOT, "src", `${path}.astro`), "utf8");
  return text.replace(
    /(\b(?:from|import) ")(\.{1,2}\/[^"]+)"/g,
    (_, before: string, source: string) =>
      `${before}astro-commonplace/${publicPath(join(dirname(path), source))}"`,
  );
}

/** Modules by their path below `src`, without the ending, and the paths of the package that lead to them. */
const MODULES: Readonly<Record<string, string>> = {
  [PROPS_MODULE]: "components",
  "site/index": "site",
};

/** Style sheets of components that are safe to replace: a copy brings the same. */
export const STYLES = ["build", "home", "prose"].map((name) => `styles/${name}.css`);

function publicPath(target: string): string {
  const path = slashes(target);
  return MODULES[path.replace(/\.[jt]s$/, "")] ?? path;
}

/** The slot is given on, since a layout without its content would be an empty page. */
function wrapperOf(path: string, props: string): string {
  const name = basename(path);
  return `---
import type { ${props} } from "astro-commonplace/components";
import ${name} from "astro-commonplace/${path}.astro";

type Props = ${props};
---

<${name} {...Astro.props}>
  <slot />
</${name}>
`;
}
