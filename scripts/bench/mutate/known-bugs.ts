/** Bugs that the tests once did not catch, and others of their kinds: a text that its module has once, and its replacement. */
import type { Mutant } from "./mutant.ts";

type Bug = readonly [what: string, file: string, before: string, after: string];

const PUBLISH = "src/snapshot/published/publish.ts";
const DRAFT = "src/snapshot/published/draft.ts";
const DISK = "src/files/disk.ts";

/** Their order shows only in the system calls of a process. */
const ORDER_TEST = "test/harvest/faults/order.test.ts";
const DURABILITY: readonly Bug[] = [
  [
    "the pointer is written before its snapshot",
    PUBLISH,
    "  moveIntoPlace(target, stateDir, id);\n  writePointer(stateDir, id);",
    "  writePointer(stateDir, id);\n  moveIntoPlace(target, stateDir, id);",
  ],
  [
    "a sealed snapshot is not synced",
    "src/snapshot/published/pointer.ts",
    '"r+", fsyncSync',
    '"r+"',
  ],
  ["a file is not synced before its rename", DISK, "      if (durable) fsyncSync(file);\n", ""],
  ["a folder is not synced after a rename", PUBLISH, "    syncFolder(dirname(path));\n", ""],
  ["the pointer is not durable", "src/snapshot/published/pointer.ts", "{ durable: true }", "{}"],
];

const BUGS: readonly Bug[] = [
  [
    "the integrity check is left out",
    PUBLISH,
    "  checkIntegrity(target);\n  await pause();",
    "  await pause();",
  ],
  [
    "a quote that came back stays gone",
    DRAFT,
    "FROM previous_gone\n        WHERE id NOT IN (SELECT id FROM draft.quotes)",
    "FROM previous_gone",
  ],
  [
    "gone quotes get a new date",
    DRAFT,
    "SELECT id, since FROM previous_gone\n",
    "SELECT id, '2026' FROM previous_gone\n",
  ],
  [
    "recovery without the lock",
    "src/snapshot/recover.ts",
    "  using _lock = takeLock(stateDir);\n",
    "",
  ],
  [
    "the published snapshot is pruned",
    "src/snapshot/published/history.ts",
    "id !== current",
    "id !== ''",
  ],
  [
    "the newest snapshots are pruned",
    "src/snapshot/published/history.ts",
    ".slice(0, -keep)",
    ".slice(keep)",
  ],
  [
    "a private folder may be writable by its group",
    "src/files/private-cache.mjs",
    "mode & 0o022",
    "mode & 0o002",
  ],
  [
    "a private folder may be writable by all",
    "src/files/private-cache.mjs",
    "mode & 0o022",
    "mode & 0o020",
  ],
  [
    "slices are cut as if inclusive",
    "src/harvest/slices/plan.ts",
    "maxLength: inclusive ? at : at + 1",
    "maxLength: at",
  ],
  [
    "both halves begin one further",
    "src/harvest/slices/plan.ts",
    "minLength: inclusive ? at + 1 : at",
    "minLength: at + 1",
  ],
  [
    "bounds count as inclusive",
    "src/harvest/slices/lengths.ts",
    "inclusive: margin === 0",
    "inclusive: true",
  ],
  [
    "neighbours on the bounds are controls",
    "src/harvest/reconcile.ts",
    "unit(servedText) > low && unit(servedText) < high",
    "unit(servedText) >= low && unit(servedText) <= high",
  ],
  [
    "a harvest has the label of its strongest list",
    "src/harvest/collect.ts",
    "STRENGTH.indexOf(one.label) > STRENGTH.indexOf(worst.label)",
    "STRENGTH.indexOf(one.label) < STRENGTH.indexOf(worst.label)",
  ],
  [
    "a harvest has the label of its first list",
    "src/harvest/collect.ts",
    "STRENGTH.indexOf(one.label) > STRENGTH.indexOf(worst.label)",
    "STRENGTH.indexOf(one.label) > STRENGTH.length",
  ],
  [
    "curated quotes outlive a wider selection",
    "src/harvest/run/session.ts",
    "isSameSource && isSameSelection ? previous",
    "isSameSource ? previous",
  ],
  [
    "an epoch reset is read by the local clock",
    "src/http/wait.ts",
    'parseHttpDate(header("date")) ?? now',
    "now",
  ],
  [
    "a failure makes the pause no longer",
    "src/client/pace.ts",
    "this.#isRefused ? this.#pauseMs * 2 : this.#pauseMs + FIRST_PAUSE_MS;",
    "FIRST_PAUSE_MS;",
  ],
  [
    "an earlier time replaces a later one",
    "src/snapshot/work/ledger.ts",
    "      if (until <= ledger.notBefore) return;\n",
    "",
  ],
  [
    "a failure does not halve the width",
    "src/client/pace.ts",
    "Math.max(1, this.#width >> 1)",
    "this.#width",
  ],
  [
    "calendar text is not escaped",
    "src/site/calendar-file.ts",
    '.replace(/[\\\\;,]/g, "\\\\$&")',
    "",
  ],
  [
    "a semicolon of the calendar is not escaped",
    "src/site/calendar-file.ts",
    "[\\\\;,]",
    "[\\\\,]",
  ],
  [
    "the summary of a day is not escaped",
    "src/site/calendar-file.ts",
    "SUMMARY:${escaped(`${authorOf(card)}: ${plainLine(card.quote.text)}`)}",
    "SUMMARY:${authorOf(card)}: ${plainLine(card.quote.text)}",
  ],
  [
    "an author in a feed is not escaped",
    "src/site/feed-formats.ts",
    "escapeHtml(signatureOf(card))",
    "signatureOf(card)",
  ],
  ["the title of a frame is not escaped", "src/site/embeds.ts", "escapeHtml(name)", "name"],
  [
    "structured data can end its element",
    "src/site/jsonld.ts",
    '.replaceAll("<", "\\\\u003c")',
    "",
  ],
  ["likes of the API are exact", "src/site/api.ts", "likes: card.likes", "likes: quote.likes"],
  [
    "a day does not depend on the next",
    "src/site/days.ts",
    "previous, next, cards.map(",
    "previous, cards.map(",
  ],
  [
    "a day does not depend on the one before",
    "src/site/days.ts",
    "previous, next, cards.map(",
    "next, cards.map(",
  ],
  [
    "a day does not depend on its cards",
    "src/site/days.ts",
    "cards.map((each) => each.cacheKey)",
    "cards.length",
  ],
  ["days of the future are shown", "src/site/days.ts", ".filter(([date]) => date <= day)", ""],
  [
    "a weekly feed is dated in the future",
    "src/site/feeds.ts",
    "today - ((today - 4) % WEEK_DAYS)",
    "today + ((today - 4) % WEEK_DAYS)",
  ],
  ["weeks begin on Tuesdays", "src/site/feeds.ts", "(today - 4)", "(today - 5)"],
  [
    "data is stale a day late",
    "src/contract/stale.ts",
    "> afterDays * DAY_MS",
    "> (afterDays + 1) * DAY_MS",
  ],
  [
    "new quotes are no longer sorted",
    "src/snapshot/published/read.ts",
    "ORDER BY likes DESC, id`",
    "ORDER BY id`",
  ],
  [
    "the oldest new days come first",
    "src/snapshot/published/read.ts",
    "ORDER BY date DESC",
    "ORDER BY date",
  ],
  [
    "the date of a file is not compared",
    "src/render/written-files.ts",
    " &&\n      Math.floor(there.mtimeMs / 1_000) === record.mtime",
    "",
  ],
  [
    "the size of a file is not compared",
    "src/render/written-files.ts",
    "      there.size === record.size &&\n",
    "",
  ],
  [
    "an Open Graph recipe is left out",
    "src/images/og/make-images.ts",
    "JSON.stringify([RECIPE, job])",
    "JSON.stringify([job])",
  ],
  [
    "a picture of an old recipe is kept",
    "src/images/thumbnails.ts",
    "if (known?.recipe === RECIPE)",
    "if (known)",
  ],
  [
    "answers are not sorted",
    "src/islands/search/find.ts",
    "return found.sort((a, b) => b.score - a.score || a.card.rank - b.card.rank);",
    "return found;",
  ],
  ["dates are in the zone of the machine", "src/i18n/locale.ts", ', timeZone: "UTC"', ""],
  [
    "a refused site counts as complete",
    "src/commands/output-folder.ts",
    "    if (refusal !== undefined) setComplete(this.#stateDir, false);\n    else if",
    "    if",
  ],
  [
    "an audit of pages without a report ends a build",
    "src/commands/output-folder.ts",
    "else if (report !== null) setComplete",
    "else setComplete",
  ],
  [
    "a card does not depend on likes",
    "src/plan/card.ts",
    "likes: ({ likes }) => shownLikes(likes),",
    "likes: () => 0,",
  ],
  [
    "a page does not depend on its number of quotes",
    "src/plan/fill.ts",
    "label, members.length, number",
    "label, number",
  ],
  [
    "a page does not depend on related listings",
    "src/plan/fill.ts",
    'number, ...links, ""',
    'number, ""',
  ],
];

/** @returns the bugs, and what is stale of the table: rows whose text their module has not, or more than once */
export function knownBugs(read: (file: string) => string) {
  const bugs: Mutant[] = [];
  const stale: string[] = [];
  const add = ([what, file, before, after]: Bug, tests?: readonly string[]): void => {
    const source = read(file);
    const at = source.indexOf(before);
    if (at < 0 || source.includes(before, at + 1)) stale.push(`${file}: ${what}`);
    else bugs.push({ file, at, before, after, what, ...(tests && { tests }) });
  };
  for (const bug of DURABILITY) add(bug, [ORDER_TEST]);
  for (const bug of BUGS) add(bug);
  return { bugs, stale };
}
