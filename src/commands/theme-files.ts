/** The files of a new theme, by path: what it builds on, its tokens, its rules, and one component to show how. */

export function themeFiles(name: string): Readonly<Record<string, string>> {
  return {
    "theme.json": '{ "extends": "folio" }\n',
    "tokens.css": TOKENS.replace("NAME", name),
    "theme.css": RULES.replace("NAME", name),
    "components/chrome/Heading.astro": HEADING,
  };
}

const TOKENS = `/* NAME: what differs from the tokens of src/styles/tokens.css. The first colour is for light, the second for dark. */
@layer commonplace.theme {
  :root {
    --paper: light-dark(#f7f9f6, #121512);
    --ink: light-dark(#161c17, #e2e9e2);
    --ink-soft: light-dark(#54605a, #9aa79e);
    --accent: light-dark(#1d6b45, #86d3a6);
  }
}
`;

const RULES = `/* NAME: rules that come after those of folio, and win over src/styles. The markup is that of src/components. */
@layer commonplace.theme {
  .masthead {
    border-block-end: var(--line-strong) solid var(--accent);
  }
}
`;

const HEADING = `---
/**
 * Used in place of src/components/chrome/Heading.astro, which it wraps: a theme's file may import the one it replaces.
 * Delete it, or put any other file of src/components or src/layouts here under the same path.
 */
import type { ComponentProps } from "astro/types";
import Heading from "commonplace/components/chrome/Heading.astro";

type Props = ComponentProps<typeof Heading>;
---

<Heading {...Astro.props}>
  <slot />
</Heading>
`;
