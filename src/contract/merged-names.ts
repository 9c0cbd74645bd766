/** Names with several spellings, as the report of a build lists them. */

/** Spellings that count as one name: the one shown, and the others. */
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
