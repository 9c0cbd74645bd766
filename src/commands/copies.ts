/** `npm run copies`: quotes that say the same, for the owner to decide which the site shows. */
import { corrector, findCopies, type CopyGroup } from "../plan/index.ts";
import { siteData } from "../settings/site-data.ts";
import { requirePublished } from "../snapshot/index.ts";
import { counted, printable } from "../util/text.ts";
import type { Outcome, ProgramContext } from "./program.ts";

/** Groups that are printed; `--json` has all. */
const MOST = 100;

export function run({ settings }: ProgramContext): Outcome {
  using snapshot = requirePublished(settings.stateDir);
  const { correct } = corrector(siteData().corrections);
  const hidden = new Set(settings.site.hidden.pks);
  const shown = Iterator.from(snapshot.all()).filter(({ id }) => !hidden.has(id));
  const groups = findCopies(shown.map(correct));
  const more = groups.length - MOST;
  const lines = groups.slice(0, MOST).flatMap(linesOf);
  const count = counted(groups.length, "group");
  return {
    text: [
      `// ${count}; add the pks that you do not want to \`hidden.pks\` of site/config.ts`,
      ...lines,
      ...(more > 0 ? [`// … and ${more} more: --json has all`] : []),
    ].join("\n"),
    result: { groups },
  };
}

/** As comments of TypeScript, with the pks of all but the most liked. */
function linesOf({ kind, author, language, quotes }: CopyGroup): string[] {
  const what = kind === "alike" ? "alike" : "alike but for a word";
  const others = quotes.slice(1).map(({ id }) => id);
  return [
    `// ${printable(author ?? "no author", 80)}, ${printable(language, 35)}: ${what}`,
    ...quotes.map(
      ({ id, likes, text }) => `//   ${id} (${counted(likes, "like")}): ${printable(text, 120)}`,
    ),
    `${others.join(", ")},`,
  ];
}
