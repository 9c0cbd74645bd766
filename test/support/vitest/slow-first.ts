/**
 * The order of test files in a run: those that wait for whole sites first, or the last of them runs alone at the end. In the
 * second tier campaigns are last: where its time is spent before the end, fewer seeds are played, and no promise is left out.
 *
 * All that need a worker of their own come before: a shared worker ends, and its browser with it, where one of them is next.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LONG } from "../tier.ts";

/** Folders of `test`, the slowest first; all others follow. */
const SLOW = [
  "nights",
  "runner",
  "workflows",
  "fork",
  "hosts",
  "render",
  "e2e",
  "canary",
  "harvest",
];

/** What plays many seeds, nights or pages, in the order in which they are played. */
const CAMPAIGNS = [
  ...["harvest/drift/", "harvest/false-answers/property", "harvest/mixed-realities"],
  ...["harvest/faults/", "nights/", "render/random-nights", "e2e/axe", "mutations"],
];

const rankOf = ({ moduleId, project }: TestSpecification): number => {
  const campaign = CAMPAIGNS.findIndex((path) => moduleId.includes(`/test/${path}`));
  if (LONG && campaign !== -1) return 2 * SLOW.length + 2 + campaign;
  const rank = SLOW.findIndex((folder) => moduleId.includes(`/test/${folder}/`));
  return (project.config.isolate ? 0 : SLOW.length + 1) + (rank === -1 ? SLOW.length : rank);
};

export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // What took long in the run before comes first within a folder.
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
