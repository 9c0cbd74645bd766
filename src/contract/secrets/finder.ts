/**
 * Finds secrets in bytes, in all their encodings at once, and takes them out of text.
 *
 * Wu and Manber's search: two bytes say how far the next place is at which any pattern could end, so that most bytes are
 * never looked at. Letters of ASCII are compared without case.
 */
import { encodingsOf } from "./encodings.ts";

/** A setting that nobody may see. */
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

interface Pattern {
  readonly name: string;
  readonly encoding: string;
  /** Folded. */
  readonly bytes: Uint8Array;
}

/** Every byte as it is compared. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 65 && byte <= 90 ? byte + 32 : byte,
);

export class SecretFinder {
  /** Names of the secrets that are too short to be searched for. */
  readonly tooShort: readonly string[];
  /** Names of those that are. */
  readonly names: readonly string[];
  /** Bytes of the longest pattern: what neighbouring chunks must share, and one less. */
  readonly longest: number;
  readonly #patterns: readonly Pattern[];
  readonly #window: number;
  /** By two bytes: how far on the next place is at which they could end the window of a pattern. */
  readonly #shifts: Uint8Array;
  readonly #endings = new Map<number, Pattern[]>();

  constructor(secrets: readonly Secret[]) {
    const long = secrets.filter(({ value }) => value.length >= SHORTEST_SECRET);
    this.names = long.map(({ name }) => name);
    this.tooShort = secrets.filter((secret) => !long.includes(secret)).map(({ name }) => name);
    this.#patterns = patternsOf(long);
    const lengths = this.#patterns.map(({ bytes }) => bytes.length);
    this.longest = Math.max(0, ...lengths);
    this.#window = Math.min(255, ...lengths);
    this.#shifts = new Uint8Array(65_536).fill(this.#window - 1);
    for (const pattern of this.#patterns) this.#learn(pattern);
  }

  /** The first secret at or behind a place; null when there is none. */
  find(bytes: Uint8Array, from = 0): FoundSecret | null {
    if (this.#patterns.length === 0) return null;
    const shifts = this.#shifts;
    const end = bytes.length;
    for (let at = from + this.#window - 1; at < end;) {
      const two = ((bytes[at - 1] ?? 0) << 8) | (bytes[at] ?? 0);
      const shift = shifts[two] ?? 1;
      if (shift > 0) at += shift;
      else {
        const found = this.#at(bytes, at - this.#window + 1, folded(two));
        if (found !== null) return found;
        at++;
      }
    }
    return null;
  }

  /** The text without the secrets in it. */
  redact(text: string): string {
    if (this.#patterns.length === 0) return text;
    // A byte for each UTF-16 unit, so that places are the same: what is cut off is no ASCII.
    const bytes = Buffer.from(text, "latin1");
    let clean = "";
    let from = 0;
    for (let found = this.find(bytes); found !== null; found = this.find(bytes, from)) {
      clean += `${text.slice(from, found.start)}…`;
      from = found.end;
    }
    return from === 0 ? text : clean + text.slice(from);
  }

  #learn(pattern: Pattern): void {
    const last = this.#window - 1;
    for (let at = 1; at <= last; at++) {
      const [one = 0, two = 0] = pattern.bytes.subarray(at - 1, at + 1);
      for (const key of spellings(one, two)) {
        this.#shifts[key] = Math.min(this.#shifts[key] ?? 0, last - at);
      }
    }
    const [one = 0, two = 0] = pattern.bytes.subarray(last - 1, last + 1);
    const key = (one << 8) | two;
    this.#endings.set(key, [...(this.#endings.get(key) ?? []), pattern]);
  }

  #at(bytes: Uint8Array, start: number, key: number): FoundSecret | null {
    for (const { name, encoding, bytes: wanted } of this.#endings.get(key) ?? []) {
      let length = 0;
      while (length < wanted.length && FOLDED[bytes[start + length] ?? 0] === wanted[length]) {
        length++;
      }
      if (length === wanted.length) return { name, encoding, start, end: start + length };
    }
    return null;
  }
}

function patternsOf(secrets: readonly Secret[]): Pattern[] {
  const patterns = new Map<string, Pattern>();
  for (const { name, value } of secrets) {
    for (const [encoding, texts] of Object.entries(encodingsOf(value))) {
      for (const text of texts) {
        // Of two that are the same, such as both cases of hexadecimal digits, the first gives its name.
        const key = text.toLowerCase();
        if (patterns.has(key)) continue;
        patterns.set(key, { name, encoding, bytes: Buffer.from(key, "latin1") });
      }
    }
  }
  // The longer of two that begin alike takes all of it.
  return [...patterns.values()].sort((a, b) => b.bytes.length - a.bytes.length);
}

const folded = (two: number): number => ((FOLDED[two >> 8] ?? 0) << 8) | (FOLDED[two & 0xff] ?? 0);

/** Two folded bytes as they may stand in a text. */
function spellings(one: number, two: number): number[] {
  const both = (byte: number): number[] => (byte >= 97 && byte <= 122 ? [byte, byte - 32] : [byte]);
  return both(one).flatMap((first) => both(two).map((second) => (first << 8) | second));
}
