/** One page's cards, from what is to be set to the files that show it. */
import type { CardRequest, CardShape, CardTheme } from "../contract/picture.ts";
import type { CardIndex } from "./cache/card-index.ts";
import type { FileStore, StoredFile } from "./cache/files.ts";
import type { CardJob } from "./og/draw.ts";
import { cardDigest } from "./og/press.ts";
import { settable } from "./og/type/settable.ts";
import { shorten } from "./og/type/shorten.ts";
import { ChildFailed } from "./pool/child.ts";
import { JobRefused, type Pool } from "./pool/pool.ts";

/** What all cards of a site have in common. */
export interface CardLook {
  /** The site's name, at the foot of each card. */
  readonly site: string;
  /** Whom the cards thank; null on the paid plan. */
  readonly attribution: string | null;
  readonly theme: CardTheme;
}

export interface Studio {
  readonly index: CardIndex;
  readonly files: FileStore;
  readonly output: FileStore;
  readonly press: Pool<CardJob, Uint8Array>;
  /** When the run began, in milliseconds since the epoch. */
  readonly started: number;
  readonly signal: AbortSignal;
}

export interface Made {
  readonly file: StoredFile;
  readonly how: "made" | "reused";
}

/** Graphemes: more than any card has room for, and long texts take long to fit. */
const MOST_SHOWN = 2_000;

/** @returns a file a shape; null when the words cannot be set */
export async function cardsOf(
  request: CardRequest,
  look: CardLook,
  studio: Studio,
): Promise<Made[] | null> {
  const text = settable(shorten(request.text, MOST_SHOWN));
  const byline = request.byline === null ? "" : settable(request.byline);
  if (text === null || text === "" || byline === null) return null;
  const { site, attribution, theme } = look;
  const { style, language } = request;
  const foot = { site: text === site ? null : site, attribution };
  const job = { style, text, byline: byline || null, language, theme, ...foot };
  const cards: Made[] = [];
  for (const shape of request.shapes) {
    const made = await cardOf({ ...job, shape }, request.key, shape, studio);
    if (made === null) return null;
    cards.push(made);
  }
  return cards;
}

async function cardOf(
  job: CardJob,
  key: string,
  shape: CardShape,
  { index, files, press, started, signal }: Studio,
): Promise<Made | null> {
  const digest = cardDigest(job);
  const twin = index.twin(digest);
  if (twin !== null && (await files.has(twin))) {
    index.save(key, shape, digest, twin, started);
    return { file: twin, how: "reused" };
  }
  try {
    const file = await files.put(await press.run(job), "png");
    index.save(key, shape, digest, file, started);
    return { file, how: "made" };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ChildFailed || error instanceof JobRefused) return null;
    throw error;
  }
}
