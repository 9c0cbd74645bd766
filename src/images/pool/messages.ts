/** What a parent and its children say to each other. Buffers travel as they are (`serialization: "advanced"`). */

export interface Task {
  readonly id: number;
  readonly job: unknown;
}

export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  /** `reason` is a word both sides know where the job itself refused; null for a bug in the child. */
  | { readonly ok: false; readonly reason: string | null; readonly message: string };

export interface Answer {
  readonly id: number;
  readonly outcome: Outcome;
  /** Memory the child holds, in bytes. */
  readonly rss: number;
}
