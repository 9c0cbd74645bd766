/** What a harvest of several lists may claim, and what it knows of curated quotes after its selection changed. */
import { expect, test } from "vitest";
import type { HarvestLabel } from "../../src/contract/facts.ts";
import { openPublished } from "../../src/snapshot/index.ts";
import { json } from "../support/http/index.ts";
import { settingsFor } from "../support/run/index.ts";
import { answer, startHarvests, wireQuote } from "../support/service/index.ts";

const sentence = (pk: number): string => `${"x".repeat((pk * 7) % 97)} ${pk}`;

/** English in the order of its keys; French by likes, and by length only where `slices` says so. */
async function twoLists(slices: boolean) {
  const harvests = await startHarvests(1);
  const { service } = harvests;
  service.quotes = Array.from({ length: 240 }, (_, at) =>
    wireQuote(at + 1, {
      quote: sentence(at + 1),
      language: at % 2 === 0 ? "en" : "fr",
      likes: at % 2 === 0 ? 0 : 1 + ((at * 37) % 101),
    }),
  ).sort((a, b) => a.likes - b.likes || a.pk - b.pk);
  service.fault = ({ url }) => {
    if (slices || url.searchParams.get("lang") !== "fr") return null;
    url.searchParams.delete("minlength");
    url.searchParams.delete("maxlength");
    return null;
  };
  return harvests;
}

test.each<[string, boolean, HarvestLabel]>([
  ["no slices", false, "best-effort"],
  ["slices", true, "complete:sliced"],
])(
  "of two lists, one proved and one with %s, a harvest has the weaker label",
  async (_, slices, label) => {
    const labels: string[] = [];
    for (const languages of [["en"], ["fr"], ["en", "fr"], ["fr", "en"]]) {
      const { run, stateDir, service } = await twoLists(slices);
      const { selection } = settingsFor(service.url, stateDir);
      const { harvest } = await run({}, { selection: { ...selection, languages } });
      labels.push(harvest.label);
    }
    expect(labels).toEqual(["complete:proved", label, label, label]);
  },
);

test("curated quotes of a narrower selection are not taken for those of a wider one", async () => {
  const harvests = await startHarvests(120);
  const { service, stateDir } = harvests;
  service.fault = ({ url }) =>
    url.searchParams.get("curated") === "1"
      ? json(
          answer(
            service.quotes.filter(({ pk }) => pk % 6 === 0),
            url,
            { cap: 20 },
          ),
        )
      : null;
  const { site, selection } = settingsFor(service.url, stateDir);
  const night = async (languages: string[], askCurated: typeof site.askCurated) => {
    await harvests.run(
      {},
      { site: { ...site, askCurated }, selection: { ...selection, languages } },
    );
    using snapshot = openPublished(stateDir);
    const keys = snapshot?.curatedKeys();
    return keys === null || keys === undefined ? null : [...keys];
  };
  const curated = (languages: readonly string[]): number[] =>
    service.quotes
      .filter(({ pk, language }) => pk % 6 === 0 && languages.includes(language))
      .map(({ pk }) => pk);
  expect(await night(["he", "fr"], "always")).toEqual(curated(["he", "fr"]));
  expect(await night([], "never")).toBeNull();
  expect(await night([], "weekly")).toEqual(curated(["en", "fr", "he"]));
});
