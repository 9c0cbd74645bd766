/** Schedules under which a harvest once called itself complete and had lost a quote. */
import type { DriftHow } from "./harvest.ts";
import type { Change, OrderKind } from "./collection.ts";

export interface Schedule extends Omit<DriftHow, "changes"> {
  readonly kind: OrderKind;
  readonly size: number;
  /** What happens before each request. */
  readonly changes: Change[][];
}

export const ONCE_LOST: readonly Schedule[] = [
  // By likes: a quote moved above what was read while another vanished, and no overlap showed it.
  {
    kind: "by likes",
    size: 51,
    cap: 4,
    concurrency: 2,
    overlap: 1,
    seed: 1625245751,
    changes: [
      [
        { kind: "delete", at: 342, by: 0 },
        { kind: "reorder", at: 105, by: -3 },
        { kind: "insert", at: 61, by: -3 },
        { kind: "delete", at: 578, by: 0 },
      ],
      [
        { kind: "vote", at: 842, by: 2 },
        { kind: "edit", at: 965, by: 0 },
        { kind: "delete", at: 701, by: 2 },
        { kind: "vote", at: 989, by: 1 },
      ],
      [
        { kind: "vote", at: 71, by: 0 },
        { kind: "delete", at: 631, by: 0 },
        { kind: "vote", at: 945, by: 3 },
        { kind: "reorder", at: 528, by: 2 },
      ],
    ],
  },
  // In the order of writing, two to a page: each page was in the order of its keys by chance.
  {
    kind: "as written",
    size: 7,
    cap: 2,
    concurrency: 2,
    overlap: 6,
    seed: 823251816,
    changes: [
      [
        { kind: "reorder", at: 44, by: 0 },
        { kind: "vote", at: 412, by: 0 },
        { kind: "edit", at: 420, by: 2 },
        { kind: "delete", at: 215, by: -1 },
        { kind: "rewrite", at: 405, by: 2 },
      ],
      [{ kind: "delete", at: 85, by: 2 }],
      [
        { kind: "delete", at: 675, by: 2 },
        { kind: "vote", at: 857, by: -3 },
        { kind: "reorder", at: 399, by: 0 },
        { kind: "reorder", at: 765, by: 0 },
        { kind: "delete", at: 83, by: 0 },
      ],
    ],
  },
  // In the order of writing: what was read moved to the end and linked the last page, over what was not.
  {
    kind: "as written",
    size: 23,
    cap: 17,
    concurrency: 3,
    overlap: 2,
    seed: 4,
    changes: [
      [
        { kind: "vote", at: 114, by: 3 },
        { kind: "delete", at: 208, by: -2 },
        { kind: "delete", at: 932, by: 3 },
        { kind: "delete", at: 758, by: -3 },
        { kind: "vote", at: 789, by: -3 },
      ],
      [],
      [
        { kind: "delete", at: 865, by: -2 },
        { kind: "reorder", at: 597, by: 3 },
        { kind: "edit", at: 261, by: -2 },
      ],
      [
        { kind: "delete", at: 736, by: -3 },
        { kind: "delete", at: 552, by: -3 },
      ],
    ],
  },
  // As written: the list shrank to a page while it was read, and was taken for one that came with one request.
  {
    kind: "as written",
    size: 9,
    cap: 4,
    concurrency: 2,
    overlap: 3,
    seed: 17,
    changes: [
      [
        { kind: "delete", at: 588, by: -1 },
        { kind: "edit", at: 721, by: 2 },
        { kind: "delete", at: 394, by: 3 },
      ],
      [
        { kind: "delete", at: 570, by: 2 },
        { kind: "delete", at: 986, by: 1 },
        { kind: "rewrite", at: 503, by: -2 },
        { kind: "rewrite", at: 491, by: 0 },
      ],
      [{ kind: "delete", at: 754, by: 2 }],
    ],
  },
];
