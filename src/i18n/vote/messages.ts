/** What voting may say: a language that lacks a sentence does not compile. */
export interface VoteMessages {
  /** Stand in every card, in the language of its quote. */
  readonly card: {
    /** Name of the group: what the number counts. */
    readonly likes: string;
    readonly up: string;
    readonly down: string;
    readonly report: string;
    /** The second step of a report, on the button that sends it. */
    readonly confirm: string;
  };
  /** Stand once a page, in its language. */
  readonly states: VoteStates;
}

export interface VoteStates {
  readonly sending: string;
  readonly counted: string;
  /** Sent, and nobody can say whether it arrived: never sent again. */
  readonly unconfirmed: string;
  readonly later: string;
  /** With the blank `{when}`. */
  readonly laterIn: string;
  readonly offline: string;
  readonly refused: string;
  /** One vote a quote. */
  readonly already: string;
  /** One report a quote, too. */
  readonly reported: string;
  /** In place of a quote that the reader reported. */
  readonly hidden: string;
  /** Undoes the hiding. */
  readonly show: string;
}
