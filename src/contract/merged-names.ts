/** Names of a collection that were written in more than one way, as the report of a build lists them. */

/** Spellings that are one name: the one that is shown, and the others. */
export interface MergedName {
  readonly kind: "author" | "tag";
  readonly name: string;
  readonly others: readonly string[];
}

export interface MergedNames {
  readonly total: number;
  /** The first few, largest first. */
  readonly first: readonly MergedName[];
}
