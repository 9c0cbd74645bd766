/** Schedules under which a harvest once called itself complete and had lost a quote. */
import type { DriftHow } from "./harvest.ts";
import type { Change, OrderKind } from "./collection.ts";

export interface Schedule extends Omit<DriftHow, "changes"> {
  readonly kind: OrderKind;
  readonly size: number;
  /** What happens before each request. */
  readonly changes: Change[][];
}

/** Reads changes as they are written below: "delete 342, vote 842 2". */
const changesOf = (...requests: string[]): Change[][] =>
  requests.map((changes) =>
    changes.split(", ").flatMap((change) => {
      const [kind, at, by] = change.split(" ");
      return change === ""
        ? []
        : [{ kind: kind as Change["kind"], at: Number(at), by: Number(by ?? 0) }];
    }),
  );

export const ONCE_LOST: readonly Schedule[] = [
  // By likes: a quote moved above what was read while another vanished, and no overlap showed it.
  {
    ...{ kind: "by likes", size: 51, cap: 4, concurrency: 2, overlap: 1, seed: 1625245751 },
    changes: changesOf(
      "delete 342, reorder 105, insert 61, delete 578",
      "vote 842 2, edit 965, delete 701, vote 989 1",
      "vote 71 0, delete 631, vote 945 3, reorder 528",
    ),
  },
  // In the order of writing, two to a page: each page was in the order of its keys by chance.
  {
    ...{ kind: "as written", size: 7, cap: 2, concurrency: 2, overlap: 6, seed: 823251816 },
    changes: changesOf(
      "reorder 44, vote 412 0, edit 420, delete 215, rewrite 405",
      "delete 85",
      "delete 675, vote 857 -3, reorder 399, reorder 765, delete 83",
    ),
  },
  // In the order of writing: what was read moved to the end and linked the last page, over what was not.
  {
    ...{ kind: "as written", size: 23, cap: 17, concurrency: 3, overlap: 2, seed: 4 },
    changes: changesOf(
      "vote 114 3, delete 208, delete 932, delete 758, vote 789 -3",
      "",
      "delete 865, reorder 597, edit 261",
      "delete 736, delete 552",
    ),
  },
  // As written: the list shrank to a page while it was read, and was taken for one that came with one request.
  {
    ...{ kind: "as written", size: 9, cap: 4, concurrency: 2, overlap: 3, seed: 17 },
    changes: changesOf(
      "delete 588, edit 721, delete 394",
      "delete 570, delete 986, rewrite 503, rewrite 491",
      "delete 754",
    ),
  },
];
