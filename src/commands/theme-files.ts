/** The files of a new theme, by path: a sheet of tokens, a sheet of rules, and one component to show how. */

export function themeFiles(name: string): Readonly<Record<string, string>> {
  return {
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
    --rule: light-dark(#cbd5cc, #323a34);
    --accent: light-dark(#1d6b45, #86d3a6);
    --on-accent: light-dark(#fff, #0d1a13);
  }
}
`;

const RULES = `/* NAME: rules of its own. The markup is that of src/components; a rule here wins over src/styles. */
@layer commonplace.theme {
  .masthead {
    border-block-end: var(--line-strong) solid var(--accent);
  }

  .tagline {
    font-size: var(--size-lead);
  }

  .hero {
    margin-block: var(--space-5);
  }

  .quote {
    padding-inline-start: var(--space-3);
    border-inline-start: var(--line-strong) solid var(--rule);
  }
}
`;

const HEADING = `---
/**
 * Stands in for src/components/chrome/Heading.astro, and wraps it: a theme's file may import the one it replaces.
 * Delete it, or put any other component of src/components or src/layouts here under the same path.
 */
import type { ComponentProps } from "astro/types";
import Heading from "commonplace/components/chrome/Heading.astro";

type Props = ComponentProps<typeof Heading>;
---

<Heading {...Astro.props}><slot /></Heading>
`;
