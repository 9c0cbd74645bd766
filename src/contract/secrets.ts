/**
 * Finds secrets in bytes, in all their encodings at once, and takes them out of text. Case of ASCII is ignored, so
 * hexadecimal digits and percent escapes need one spelling each.
 */
import { escapeHtml } from "./text.ts";

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
    const patterns = [...texts.map(RegExp.escape), ...long.map(({ value }) => inPart(value))];
    this.#anyPattern = texts.length === 0 ? null : new RegExp(patterns.join("|"), "gi");
  }

  /** The first secret; null when there is none. */
  find({ buffer, byteOffset, byteLength }: Uint8Array): FoundSecret | null {
    if (this.#anyPattern === null) return null;
    const text = Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
    this.#anyPattern.lastIndex = 0;
    const [found] = this.#anyPattern.exec(text) ?? [];
    if (found === undefined) return null;
    const pattern = this.#patterns.get(found.toLowerCase()) ?? {
      name: this.names.join(" or "),
      encoding: "percent-encoded",
    };
    const end = this.#anyPattern.lastIndex;
    return { ...pattern, start: end - found.length, end };
  }

  /** A text, or plain data with its texts, without the secrets in it. */
  redact<T>(value: T): T {
    return this.#anyPattern === null ? value : (redactIn(value, this.#anyPattern) as T);
  }
}

function redactIn(value: unknown, secret: RegExp): unknown {
  if (typeof value === "string") return value.replace(secret, "…");
  if (Array.isArray(value)) return value.map((part) => redactIn(part, secret));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map((pair) => pair.map((part) => redactIn(part, secret))),
  );
}

/** Patterns by the name of the encoding. */
type Patterns = Readonly<Record<string, readonly string[]>>;

/**
 * The twelve shapes in which a secret may lie about: as it is, and as programs write text into pages, addresses, logs and
 * headers.
 *
 * @param secret printable ASCII, as a header can carry it
 */
export function encodingsOf(secret: string): Patterns {
  const bytes = Buffer.from(secret);
  const each = (write: (byte: number) => string): string => Array.from(bytes, write).join("");
  const hex = (byte: number): string => byte.toString(16).padStart(2, "0");
  const component = encodeURIComponent(secret);
  const percent = [
    each((byte) => `%${hex(byte)}`),
    component,
    // As in a path, and as in a form.
    component.replaceAll("%2F", "/"),
    new URLSearchParams([["", secret]]).toString().slice(1),
  ];
  const base64 = inBase64(bytes);
  return {
    "as it is": [secret, each((byte) => `${String.fromCharCode(byte)}\0`)],
    "percent-encoded": percent,
    "percent-encoded twice": percent.map((text) => text.replaceAll("%", "%25")),
    base64,
    base64url: base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
    "lower-case hexadecimal": [bytes.toString("hex")],
    "upper-case hexadecimal": [bytes.toString("hex").toUpperCase()],
    "decimal HTML entities": [each((byte) => `&#${byte};`), escapedForHtml(secret, "&#39;")],
    "hexadecimal HTML entities": [
      each((byte) => `&#x${hex(byte)};`),
      escapedForHtml(secret, "&#x27;"),
    ],
    "JSON escapes": [each((byte) => `\\u00${hex(byte)}`), ...escapedForJson(secret)],
    reversed: [[...secret].reverse().join("")],
    rot13: [rot13(secret)],
  };
}

/** A pattern for a text of which any letters are percent-encoded, once or twice: programs disagree on which must be. */
const inPart = (text: string): string =>
  Array.from(
    text,
    (letter) => `(?:${RegExp.escape(letter)}|%(?:25)?${Buffer.from(letter).toString("hex")})`,
  ).join("");

/**
 * What is certain of a text's base64 wherever in a longer one it begins: the digits that hold nothing of its neighbours.
 */
function inBase64(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
}

const escapedForHtml = (text: string, apostrophe: string): string =>
  escapeHtml(text).replaceAll("'", apostrophe);

/** As most write it, and as those do who put a backslash before each slash. */
function escapedForJson(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  return [escaped, escaped.replaceAll("/", "\\/")];
}

function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });
}
