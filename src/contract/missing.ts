/** Quotes of the snapshot before that a complete harvest did not see. */

export interface Neighbour {
  readonly id: number;
  readonly language: string;
  readonly tags: readonly string[];
  /** The words as they were served: their length finds them again. */
  readonly words: string;
}

/** A quote that was not met, as it is published. */
export type MissingQuote = Neighbour;

/** How a complete harvest compares with the snapshot before it. */
export interface Gap {
  /** Still selected, and not seen. */
  readonly missing: readonly MissingQuote[];
  /** By language, before and missing, of what is still selected. */
  readonly languages: Readonly<
    Record<string, { readonly before: number; readonly missing: number }>
  >;
}

/** A field that quotes had in the snapshot before, of those that were read again. */
export interface Emptied {
  readonly field: string;
  readonly had: number;
  /** Read without it now. */
  readonly lost: number;
}
