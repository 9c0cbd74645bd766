/**
 * The twelve shapes in which a secret may lie about: as it is, and as programs write text into pages, addresses, logs
 * and headers.
 *
 * The search ignores case, so hexadecimal digits and percent escapes need one spelling each.
 */
import { escapeHtml } from "../escape.ts";

/** Patterns by the name of the encoding. */
export type Patterns = Readonly<Record<string, readonly string[]>>;

/** @param secret printable ASCII, as a header can carry it */
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
