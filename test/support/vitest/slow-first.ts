/**
 * The order of test files in a run: those that wait for whole sites first, or the last of them runs alone at the end.
 *
 * All that need a worker of their own come before: a shared worker ends, and its browser with it, where one of them is next.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node";

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

const rankOf = ({ moduleId, project }: TestSpecification): number => {
  const rank = SLOW.findIndex((folder) => moduleId.includes(`/test/${folder}/`));
  return (project.config.isolate ? 0 : SLOW.length + 1) + (rank === -1 ? SLOW.length : rank);
};

export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // What took long in the run before comes first within a folder.
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
