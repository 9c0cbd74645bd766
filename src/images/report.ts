/** What came of the pictures of a run, for `build.json`, the audit and the log. */
import type { Failure, FailureReason } from "./failures.ts";
import type { StoredPicture } from "./picture-index.ts";

export interface PictureReport {
  /** `made + reused + failed`. */
  readonly addresses: number;
  /** Encoded in this run. */
  readonly made: number;
  /** Taken from the cache: still fresh, unchanged (304), or the same bytes as before. */
  readonly reused: number;
  readonly failed: number;
  /** Of the failed: shown as they were before. */
  readonly shownFromBefore: number;
  readonly reasons: Readonly<Partial<Record<FailureReason, number>>>;
  /** The first few, for a person. */
  readonly failures: readonly (Failure & { readonly address: string })[];
  /** Requests sent, to any host. */
  readonly requests: number;
  readonly bytesFetched: number;
  /** Originals of all that is shown, less their AVIF at 1×. */
  readonly bytesSaved: number;
  /** Files that no page needs any more, removed from the output. */
  readonly removed: number;
}

/** Failures that are named one by one. */
const NAMED = 50;

/** Counts what came of each address. */
export class Tally {
  readonly #reasons: Partial<Record<FailureReason, number>> = {};
  readonly #failures: (Failure & { readonly address: string })[] = [];
  readonly #report = {
    ...{ addresses: 0, made: 0, reused: 0, failed: 0, shownFromBefore: 0, requests: 0 },
    ...{ reasons: this.#reasons, failures: this.#failures },
    ...{ bytesFetched: 0, bytesSaved: 0 },
  };

  request(): void {
    this.#report.requests++;
  }

  fetched(bytes: number): void {
    this.#report.bytesFetched += bytes;
  }

  succeeded(how: "made" | "reused", picture: StoredPicture): void {
    this.#report.addresses++;
    this.#report[how]++;
    this.#shown(picture);
  }

  /** @param earlier what is shown instead; null when nothing is */
  failed(address: string, failure: Failure, earlier: StoredPicture | null): void {
    this.#report.addresses++;
    this.#report.failed++;
    this.#reasons[failure.reason] = (this.#reasons[failure.reason] ?? 0) + 1;
    if (this.#failures.length < NAMED) {
      this.#failures.push({ address: printableAddress(address), ...failure });
    }
    if (earlier === null) return;
    this.#report.shownFromBefore++;
    this.#shown(earlier);
  }

  report(removed: number): PictureReport {
    return { ...this.#report, removed };
  }

  #shown({ originalBytes, files }: StoredPicture): void {
    this.#report.bytesSaved += originalBytes - (files[0]?.bytes ?? 0);
  }
}

/** Without credentials and query, which may be secrets, and cut to a line. */
function printableAddress(address: string): string {
  const url = URL.parse(address);
  const plain = url === null ? address : `${url.protocol}//${url.host}${url.pathname}`;
  return plain.replace(/[\s\p{C}]+/gu, " ").slice(0, 200);
}
