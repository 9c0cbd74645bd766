/**
 * Finds secrets in bytes, in all encodings at once, and removes them from text. The case of ASCII letters is ignored, so
 * hexadecimal digits and percent escapes need only one spelling.
 */
import { escapeUTF8 } from "entities";

/** A setting that must never be shown. */
export interface Secret {
  /** Name of the variable that holds it. */
  readonly name: string;
  readonly value: string;
}

export interface FoundSecret {
  readonly name: string;
  readonly encoding: string;
  readonly start: number;
  /** One past its last byte. */
  readonly end: number;
}

/** Characters; shorter secrets occur by chance in any text. */
export const SHORTEST_SECRET = 8;

export class SecretFinder {
  /** Names of the secrets that are too short to be searched for. */
  readonly tooShort: readonly string[];
  /** Names of the secrets that are searched for. */
  readonly names: readonly string[];
  /** Bytes of the longest pattern: chunks of a file must overlap by one byte less. */
  readonly longest: number;
  /** By pattern in lower case. Of encodings with the same pattern, such as both cases of hexadecimal, the first counts. */
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
    // Longest first: where two patterns begin alike, the longer one must match.
    const texts = [...this.#patterns.keys()].sort((a, b) => b.length - a.length);
    this.longest = texts[0]?.length ?? 0;
    const patterns = [
      ...texts.map(RegExp.escape),
      ...long.map(({ value }) => partlyEscaped(value)),
    ];
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
      encoding: "partly escaped",
    };
    const end = this.#anyPattern.lastIndex;
    return { ...pattern, start: end - found.length, end };
  }

  /** Removes the secrets from a text, or from all text in plain data. */
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

/**
 * Writes a secret in ten encodings: as it is, and as programs write text into pages, addresses, logs and headers.
 *
 * @param secret printable ASCII, as a header can carry it
 * @returns patterns by the name of the encoding
 */
export function encodingsOf(secret: string): Readonly<Record<string, readonly string[]>> {
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
    "decimal HTML entities": [each((byte) => `&#${byte};`)],
    "hexadecimal HTML entities": [each((byte) => `&#x${hex(byte)};`)],
    "JSON escapes": [each((byte) => `\\u00${hex(byte)}`), ...escapedForJson(secret)],
  };
}

/** Makes a pattern for a text with any characters escaped as in JSON or HTML, or percent-encoded once or twice: programs differ. */
const partlyEscaped = (text: string): string =>
  Array.from(text, (character) => {
    const hex = Buffer.from(character).toString("hex");
    // Programs escape five signs one by one.
    const entity = escapeUTF8(character);
    const entities =
      entity === character ? "" : `|${entity}|&#0?${character.charCodeAt(0)};|&#x0?${hex};`;
    return String.raw`(?:\\?(?:${RegExp.escape(character)}${entities})|\\u00${hex}|%(?:25)?${hex})`;
  }).join("");

/** Writes a text in base64 at each of three alignments in a longer text, without digits that encode neighbouring bytes. */
function inBase64(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
}

/** Writes a text as JSON, without and with a backslash before each slash. */
function escapedForJson(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  return [escaped, escaped.replaceAll("/", "\\/")];
}
