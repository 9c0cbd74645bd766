/** Finds secrets in bytes, in all their encodings at once, and takes them out of text. Case of ASCII is ignored. */
import { encodingsOf } from "./encodings.ts";

/** A setting that must never be shown. */
export interface Secret {
  /** Of the variable that holds it. */
  readonly name: string;
  readonly value: string;
}

export interface FoundSecret {
  readonly name: string;
  readonly encoding: string;
  readonly start: number;
  /** Behind its last byte. */
  readonly end: number;
}

/** Shorter ones are found by chance in any text. */
export const SHORTEST_SECRET = 8;

export class SecretFinder {
  /** Names of the secrets that are too short to be searched for. */
  readonly tooShort: readonly string[];
  /** Names of those that are. */
  readonly names: readonly string[];
  /** Bytes of the longest pattern: what neighbouring chunks must share, and one less. */
  readonly longest: number;
  /** By pattern in lower case. Of two that are the same, such as both cases of hexadecimal, the first gives its name. */
  readonly #patterns = new Map<string, Pick<FoundSecret, "name" | "encoding">>();
  /** Null without a secret. */
  readonly #anyPattern: RegExp | null;

  constructor(secrets: readonly Secret[]) {
    const long = secrets.filter(({ value }) => value.length >= SHORTEST_SECRET);
    this.names = long.map(({ name }) => name);
    this.tooShort = secrets.filter((secret) => !long.includes(secret)).map(({ name }) => name);
    for (const { name, value } of long) {
      for (const [encoding, texts] of Object.entries(encodingsOf(value))) {
        for (const text of texts.map((one) => one.toLowerCase())) {
          if (!this.#patterns.has(text)) this.#patterns.set(text, { name, encoding });
        }
      }
    }
    // The longer of two that begin alike takes all of it.
    const texts = [...this.#patterns.keys()].sort((a, b) => b.length - a.length);
    this.longest = texts[0]?.length ?? 0;
    this.#anyPattern =
      texts.length === 0 ? null : new RegExp(texts.map(RegExp.escape).join("|"), "gi");
  }

  /** The first secret; null when there is none. */
  find({ buffer, byteOffset, byteLength }: Uint8Array): FoundSecret | null {
    if (this.#anyPattern === null) return null;
    const text = Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
    this.#anyPattern.lastIndex = 0;
    const [found] = this.#anyPattern.exec(text) ?? [];
    const pattern = this.#patterns.get(found?.toLowerCase() ?? "");
    if (found === undefined || pattern === undefined) return null;
    const end = this.#anyPattern.lastIndex;
    return { ...pattern, start: end - found.length, end };
  }

  /** The text without the secrets in it. */
  redact(text: string): string {
    return this.#anyPattern === null ? text : text.replace(this.#anyPattern, "…");
  }
}
