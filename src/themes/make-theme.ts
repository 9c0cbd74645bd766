/** Writes the skeleton of a theme. */
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { UsageError } from "../contract/errors.ts";
import { atomicWrite, makeFolder } from "../files/disk.ts";
import { PACKAGE_ROOT, PROJECT_ROOT } from "../files/roots.ts";

const NAME_SHAPE = /^[a-z][a-z0-9-]{0,40}$/;

/**
 * @param site the fork's own folder
 * @returns the folder that was made
 * @throws {UsageError} when the name is invalid or taken
 */
export function makeTheme(name: string, site: string): string {
  const isPath = name.includes("/");
  if (!NAME_SHAPE.test(basename(name))) {
    throw new UsageError(
      `Cannot make theme ${JSON.stringify(name)}: expected a name such as my-theme, or a path to one`,
    );
  }
  const folder = isPath ? resolve(PROJECT_ROOT, name) : join(site, "themes", name);
  if (!isPath && existsSync(join(PACKAGE_ROOT, "src/themes", name))) {
    throw new UsageError(`Cannot make theme ${name}: the project has one of that name`);
  }
  if (existsSync(folder))
    throw new UsageError(`Cannot make theme ${name}: ${folder} already exists`);
  for (const [path, text] of Object.entries(FILES)) {
    makeFolder(dirname(join(folder, path)));
    atomicWrite(join(folder, path), text.replace("NAME", basename(name)));
  }
  return folder;
}

/** The files of a new theme, by path. */
const FILES: Readonly<Record<string, string>> = {
  "theme.json": '{ "extends": "folio" }\n',
  "tokens.css": `/* NAME: what differs from the tokens of src/styles/tokens.css. The first colour is for light, the second for dark. */
@layer commonplace.theme {
  :root {
    --paper: light-dark(#f7f9f6, #121512);
    --ink: light-dark(#161c17, #e2e9e2);
    --ink-soft: light-dark(#54605a, #9aa79e);
    --accent: light-dark(#1d6b45, #86d3a6);
  }
}
`,
  "theme.css": `/* NAME: rules that come after those of folio, and win over src/styles. The markup is that of src/components. */
@layer commonplace.theme {
  .masthead {
    border-block-end: var(--line-strong) solid var(--accent);
  }
}
`,
  "components/chrome/Heading.astro": `---
/**
 * Used in place of src/components/chrome/Heading.astro, which it wraps: a theme's file may import the one it replaces.
 * Delete it, or put any other file of src/components or src/layouts here under the same path.
 */
import type { ComponentProps } from "astro/types";
import Heading from "astro-commonplace/components/chrome/Heading.astro";

type Props = ComponentProps<typeof Heading>;
---

<Heading {...Astro.props}>
  <slot />
</Heading>
`,
};
