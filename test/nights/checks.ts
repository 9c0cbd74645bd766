/**
 * Says what is wrong after a night. It reads the files and the service's own journal, and remembers what was published:
 * it trusts nothing that a build says of itself, and compares all of it with the service.
 */
import { readSiteConfig } from "../../src/settings/site-config.ts";
import { openPublished } from "../../src/snapshot/index.ts";
import type { Finished } from "../support/run/index.ts";
import type { Night } from "./calendar.ts";
import { digestOf, halfPages, readSite, type SiteRead } from "./read-site.ts";
import { markOf, type DrillCollection } from "./collection.ts";

interface Evidence {
  readonly night: Night;
  readonly budget: number;
  readonly ended: Finished;
  /** When calls came, in the time of the drill. */
  readonly calls: readonly number[];
  readonly notBefore: number;
  readonly moment: number;
}

const DAY_MS = 86_400_000;

export class Checks {
  readonly #collection: DrillCollection;
  readonly #stateDir: string;
  readonly #outDir: string;
  #published: SiteRead | null = null;
  #digest: string;
  /** Null until there is one: what a night that was cut off left may be anything whole. */
  #touched = false;
  #asOf = "";
  /** When the nights since then began that failed: any of them may have published a snapshot first. */
  #failed: number[] = [];
  /** Reported, and once missing from a site. */
  readonly #gone = new Set<number>();

  constructor(collection: DrillCollection, stateDir: string, outDir: string) {
    this.#collection = collection;
    this.#stateDir = stateDir;
    this.#outDir = outDir;
    this.#digest = digestOf(outDir);
  }

  /** @returns a line for each thing that is wrong */
  check(evidence: Evidence): string[] {
    const { night, budget, ended, calls, notBefore } = evidence;
    const wrong: string[] = [];
    if (!night.ends.includes(ended.status)) {
      wrong.push(`status ${ended.status}, not ${night.ends.join()}: ${ended.stderr.slice(-900)}`);
    }
    if (calls.length > budget) wrong.push(`${calls.length} calls, ${budget} allowed`);
    const early = calls.filter((at) => at < notBefore).length;
    if (early > 0) wrong.push(`${early} calls before the service allows any`);
    if (ended.status === 0) {
      wrong.push(...this.#checkSite(readSite(this.#outDir), evidence));
      this.#digest = digestOf(this.#outDir);
      this.#touched = false;
      return wrong;
    }
    this.#failed.push(evidence.moment);
    const lastLine = ended.stderr.trimEnd().split("\n").at(-1) ?? "";
    if (ended.status !== null && !/^Cannot .+; .+/.test(lastLine)) {
      wrong.push(`the last line does not say what to do: ${lastLine}`);
    }
    this.#touched ||= night.disk !== undefined || night.kill === "render";
    if (this.#touched) for (const half of halfPages(this.#outDir)) wrong.push(`half: ${half}`);
    else if (digestOf(this.#outDir) !== this.#digest) wrong.push("the site is not last night's");
    return wrong;
  }

  /** In the end the site is the collection: nothing lost, nothing made up. */
  difference(): number[] {
    const held = new Set(this.#collection.since.keys());
    const shown = new Set(this.#published?.quotes.keys());
    return [...held, ...shown].filter((pk) => !held.has(pk) || !shown.has(pk));
  }

  #checkSite(site: SiteRead, { moment, night }: Evidence): string[] {
    const before = night.damaged === true ? null : this.#published;
    // The snapshot before it may be one that a killed build left, and is older in any case.
    const age = site.build.dataAsOf ?? "";
    if (night.damaged === true && age < this.#asOf) this.#asOf = age;
    this.#published = site;
    return [
      ...this.#notWhole(site),
      ...this.#lost(site, before),
      ...this.#cameBack(site),
      ...this.#age(site, moment),
    ];
  }

  /** Against the snapshot that it claims. */
  #notWhole({ build, quotes, listed }: SiteRead): string[] {
    const snapshot = openPublished(this.#stateDir);
    if (snapshot === null || snapshot.id !== build.snapshot)
      return [`not made from ${snapshot?.id ?? "a snapshot"}`];
    const held = [...snapshot.all()];
    snapshot.close();
    const wrong = held
      .filter(({ id, text }) => quotes.get(id) !== text)
      .map(({ id, text }) => `quote ${id} is not as the snapshot has it: ${text}`);
    if (quotes.size !== held.length) wrong.push(`${quotes.size} pages for ${held.length} quotes`);
    for (const [kind, counts] of Object.entries(listed)) {
      const bad = held.filter(({ id }) => counts.get(id) !== 1).length + counts.size - held.length;
      if (bad !== 0) wrong.push(`${bad} quotes stand not once in the listings by ${kind}`);
    }
    return wrong;
  }

  /** Against what the service held all the while. */
  #lost({ build, quotes }: SiteRead, before: SiteRead | null): string[] {
    const { label, started = "" } = build.harvest ?? {};
    const began = Date.parse(started);
    const lost = [...this.#collection.since].filter(
      ([pk, since]) =>
        !quotes.has(pk) &&
        (before?.quotes.has(pk) === true || (label?.startsWith("complete") && since < began)),
    );
    const made = [...quotes].filter(([pk, text]) => !this.#collection.versions.get(pk)?.has(text));
    return [
      ...lost.map(([pk]) => `quote ${pk} is lost`),
      ...made.map(([pk, text]) => `quote ${pk} was never so: ${text}`),
    ];
  }

  #cameBack({ build, everything }: SiteRead): string[] {
    const text = everything.toLowerCase();
    const wrong: string[] = [];
    for (const [pk, at] of this.#collection.reported) {
      const there = text.includes(markOf(pk)) || text.includes(`/quote/${pk}/`);
      const { label, started = "" } = build.harvest ?? {};
      const mustGo = label?.startsWith("complete") === true && Date.parse(started) > at;
      if (there && this.#gone.has(pk)) wrong.push(`reported quote ${pk} came back`);
      else if (there && mustGo) wrong.push(`reported quote ${pk} is still there`);
      if (!there) this.#gone.add(pk);
    }
    return wrong;
  }

  #age({ build, dataAsOf, stale }: SiteRead, moment: number): string[] {
    const { label, finished = "" } = build.harvest ?? {};
    const age = Date.parse(build.dataAsOf ?? "");
    const isOfFailed = this.#failed.some((began) => age >= began && age < began + DAY_MS / 2);
    if (label !== "partial") this.#asOf = finished;
    else if (isOfFailed) this.#asOf = build.dataAsOf ?? "";
    this.#failed = [];
    const old = moment - Date.parse(this.#asOf) > readSiteConfig({}).staleAfterDays * DAY_MS;
    const wrong = [];
    if (dataAsOf !== this.#asOf.slice(0, 10))
      wrong.push(`says data as of ${dataAsOf}, not ${this.#asOf}`);
    if (build.dataAsOf !== this.#asOf) wrong.push(`build.json says ${build.dataAsOf}`);
    if (stale !== old) wrong.push(`${old ? "does not say" : "says"} that it is old`);
    return wrong;
  }
}
