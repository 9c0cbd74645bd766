/** `npm run authors`: the authors with most quotes, and what `site/authors.yaml` says of them. */
import { openSiteAs } from "../site/index.ts";
import { printable } from "../util/text.ts";
import type { Outcome, ProgramContext } from "./program.ts";

/** Authors that are listed. */
const MOST = 50;
/** Authors that are looked at for those without facts. */
const LOOKED_AT = 5_000;

export function run({ settings, options }: ProgramContext): Outcome {
  using site = openSiteAs(settings);
  const all = site.authorsWithFacts(LOOKED_AT);
  const listed = (options.missing === true ? all.filter(({ facts }) => facts === null) : all).slice(
    0,
    MOST,
  );
  const lines = listed.map(({ name, quotes, facts }) => {
    const key = JSON.stringify(printable(name, 200));
    const about = facts === null ? "{ bio: }" : JSON.stringify(facts.bio ?? "");
    return `${key}: ${about} # ${quotes}`;
  });
  return {
    text: lines.join("\n"),
    result: {
      authors: listed.map(({ name, slug, quotes, facts }) => ({ name, slug, quotes, facts })),
    },
  };
}
