/** What the page about the last build may say: a language that lacks a sentence does not compile. */
export interface BuildMessages {
  /** The page's name, and the link that leads to it. */
  readonly title: string;
  readonly intro: string;
  /** Above what the harvest changed. */
  readonly news: string;
  readonly added: string;
  readonly changed: string;
  readonly removed: string;
  readonly calls: string;
  readonly callsLeft: string;
  /** In place of a figure that nobody knows. */
  readonly unknown: string;
  readonly waits: string;
  /** What must be true of the service for the label to be. */
  readonly assumption: string;
  readonly unread: string;
  /** Above where a record stood in the service's list. */
  readonly place: string;
  readonly reason: string;
  readonly merged: string;
  readonly pictures: string;
  readonly shown: string;
  readonly failed: string;
  /** Above the chart and its table. */
  readonly trend: string;
  /** What the chart shows, for those who cannot see it. */
  readonly trendText: string;
  readonly none: string;
  readonly quotes: string;
  readonly date: string;
  readonly outcome: string;
  readonly published: string;
  readonly notPublished: string;
  /** Addresses that a build changed. */
  readonly pages: string;
  readonly size: string;
  readonly duration: string;
  /** Name of the link to the same for programs. */
  readonly programs: string;
}
