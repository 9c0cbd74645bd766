/** The order of test files in a run: those that wait for whole sites first, or the last of them runs alone at the end. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Folders of `test`, the slowest first; all others follow. */
const SLOW = ["nights", "workflows", "fork", "hosts", "render", "e2e", "canary", "harvest"];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = SLOW.findIndex((folder) => moduleId.includes(`/test/${folder}/`));
  return rank === -1 ? SLOW.length : rank;
};

export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // What took long in the run before comes first within a folder.
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
