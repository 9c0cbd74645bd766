/** Parses the JSON that services send, also where it breaks the rules in ways that leave no doubt. */

import { parseJson } from "./decode.ts";

/**
 * Matches a string, also one without its end, so that the time is linear in the length of the text; or a value that other
 * languages write into what they call JSON.
 */
const STRING_OR_VALUE =
  /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|[+-]?\b(?:NaN|Infinity)\b|\b(?:undefined|None|nil|True|False)\b/g;
/** Values that are not null, as Python writes them. */
const VALUES: Readonly<Record<string, string>> = { True: "true", False: "false" };
const CONTROL = /[\u0000-\u001F]/g;
/** An escape in a string. JSON has no `\'` and no `\x27`, which PHP and JavaScript write. */
const ESCAPE = /\\(?:x([\da-f]{2})|([^]))/gi;

/** Guards that some services put before JSON, so that no script can load it. */
const PREFIX = /^\uFEFF?\s*(?:\)\]\}'?,?|while ?\(1\);|for ?\(;;\);)?\s*/;

/**
 * As `parseJson`; if that fails, once more with `NaN`, `Infinity`, `undefined` and `None` as null, with raw control characters in
 * strings as themselves, and with other text around it. A text that is cut short is never completed.
 */
export function parseLenient(text: string): unknown {
  const body = text.replace(PREFIX, "");
  const strict = parseJson(body);
  // Encoded twice: the body is a string that holds the JSON.
  if (typeof strict === "string" && /^\s*[[{]/.test(strict)) return parseJson(strict) ?? strict;
  if (strict !== undefined) return ofLambda(strict) ?? strict;
  const mended = body.replace(STRING_OR_VALUE, (token) =>
    token.startsWith('"') ? mendString(token) : (VALUES[token] ?? "null"),
  );
  const value = mended === body ? undefined : parseJson(mended);
  return value ?? parseCore(mended);
}

function mendString(token: string): string {
  return token
    .replace(ESCAPE, (escape, code: string | undefined, sign: string) => {
      if (code !== undefined) return `\\u00${code}`;
      return /["\\/bfnrtu]/.test(sign) ? escape : sign;
    })
    .replace(CONTROL, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The body in the answer of an AWS Lambda, where its gateway passes that on as it is; undefined for anything else. */
function ofLambda(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("statusCode" in value)) return undefined;
  const text = "body" in value && value.statusCode === 200 ? value.body : null;
  return typeof text === "string" ? parseJson(text) : undefined;
}

/** Text around JSON that some services leave there: a warning of a program before it, a note of a cache after it. */
const MOST_AROUND = 2_000;

/**
 * Parses the JSON between other text, and with commas before a closing bracket. What is cut short has no closing bracket of its
 * own, so that it is not taken for whole.
 */
function parseCore(text: string): unknown {
  const [start, end] = [
    // A warning may have a bracket of its own.
    text.search(/\{(?=\s*["}])|\[(?=\s*["{[\]\d])/),
    Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")),
  ];
  const around = [text.slice(0, Math.max(0, start)), text.slice(end + 1)];
  const isPage = around.some((part) => /<(?:!doctype|html|head|body|script)/i.test(part));
  if (start < 0 || end < start || isPage || around.join("").length > MOST_AROUND) return undefined;
  const core = text.slice(start, end + 1);
  const closed = core.replace(/"[^"\\]*(?:\\[^][^"\\]*)*"|,(?=\s*[}\]])/g, (token) =>
    token === "," ? "" : token,
  );
  const value = parseJson(closed);
  return typeof value === "object" ? (value ?? undefined) : undefined;
}

/** Whether a text is one JSON value a line, of which at least two. */
export function isJsonLines(text: string): boolean {
  const lines = text.trimStart().split("\n", 3);
  const isRecord = (line: string | undefined): boolean =>
    line !== undefined && line.startsWith("{") && parseJson(line) !== undefined;
  return isRecord(lines[0]) && isRecord(lines[1]);
}
