/** `npm run copies`: quotes that say nearly the same, for the owner to decide which of them are one. */
import { corrector, findCopies, type CopyGroup } from "../plan/index.ts";
import { siteData } from "../settings/site-data.ts";
import { openSiteAs } from "../site/index.ts";
import { requirePublished } from "../snapshot/index.ts";
import { counted, printable } from "../util/text.ts";
import type { Outcome, ProgramContext } from "./program.ts";

/** Groups that are printed; `--json` has all. */
const MOST = 100;

export function run({ settings }: ProgramContext): Outcome {
  using snapshot = requirePublished(settings.stateDir);
  using site = openSiteAs(settings);
  const { correct } = corrector(siteData().corrections);
  // Copies are one card already.
  const shown = Iterator.from(snapshot.all()).filter(
    ({ id }) => site.card(id) !== undefined && site.originalOf(id) === id,
  );
  const groups = findCopies(shown.map(correct));
  const { copies } = site.summary();
  const left = copies === 1 ? "# 1 copy is" : `# ${copies} copies are`;
  const count = counted(groups.length, "group");
  const effect =
    settings.site.copies === "fold" ? "" : ', and set copies of site/config.ts to "fold"';
  const lines = [
    `${left} left out of listings; ${count} of quotes that say nearly the same: add the lines`,
    `# of those that are one quote to site/corrections.yaml${effect}`,
    "copies:",
    ...linesOf(groups.slice(0, MOST)),
    ...(groups.length > MOST ? [`  # … and ${groups.length - MOST} more: --json has all`] : []),
  ];
  const none = `${left} left out of listings, and no other quotes say nearly the same`;
  return {
    text: groups.length === 0 ? none : lines.join("\n"),
    result: { copies, groups },
  };
}

/** For each most liked quote the quotes, as comments, and a line that makes the others its copies. */
function linesOf(groups: readonly CopyGroup[]): string[] {
  const byFirst = Map.groupBy(groups, ({ quotes: [first] }) => first?.id ?? 0);
  return [...byFirst].flatMap(([id, own]) => {
    const quotes = new Map(own.flatMap((group) => group.quotes).map((quote) => [quote.id, quote]));
    const { author = null, language = "" } = own[0] ?? {};
    const others = [...quotes.keys()].filter((other) => other !== id);
    return [
      `  # ${printable(author ?? "no author", 80)}, ${printable(language, 35)}`,
      ...Array.from(
        quotes.values(),
        ({ id: each, likes, text }) =>
          `  #   ${each} (${counted(likes, "like")}): ${printable(text, 120)}`,
      ),
      `  ${id}: [${others.join(", ")}]`,
    ];
  });
}
