/** A service on a free port, closed when its test is over, and quotes to put into it. */
import { onTestFinished } from "vitest";
import {
  startService,
  type RunningService,
  type ServiceOptions,
} from "../../../src/service/start.ts";
import type { StoredQuote } from "../../../src/service/quote.ts";

/** With the collection that the service comes with, unless `options` name another. */
export async function embedded(options: ServiceOptions = {}): Promise<RunningService> {
  const bugs: unknown[] = [];
  const service = await startService({ ...options, onBug: (error) => bugs.push(error) });
  onTestFinished(async () => {
    await service.close();
    if (bugs.length > 0) throw new AggregateError(bugs, "the service met a bug");
  });
  return service;
}

/** With a few quotes, which is all that most tests need. */
export function running(options: ServiceOptions = {}): Promise<RunningService> {
  return holding(
    [1, 2, 3, 4, 5, 6].map((pk) => quote(pk)),
    options,
  );
}

export function holding(
  quotes: readonly StoredQuote[],
  options: ServiceOptions = {},
): Promise<RunningService> {
  return embedded({ ...options, quotes });
}

export function quote(pk: number, changes: Partial<StoredQuote> = {}): StoredQuote {
  const words = { pk, quote: `Sentence ${pk}.`, author: "A writer", language: "en" };
  return { ...words, likes: 0, tags: [], image: null, curated: false, ...changes };
}

/** Asks and reads the JSON; null where there is no body. Redirects are not followed. */
export async function ask(url: string, init: RequestInit = {}) {
  const response = await fetch(url, { redirect: "manual", ...init });
  const text = await response.text();
  const body: unknown = text === "" ? null : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
}

interface PageBody {
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly { readonly pk: number; readonly likes: number }[];
}

export async function page(url: string): Promise<PageBody> {
  return (await ask(url)).body as PageBody;
}

export async function pksOf(url: string): Promise<number[]> {
  return (await page(url)).results.map(({ pk }) => pk);
}

export function post(url: string, form: Record<string, string>) {
  return ask(url, { method: "POST", body: new URLSearchParams(form) });
}
