/**
 * Turns the bytes of a body into text: unpacks them, and finds their charset. Labels are hints: what the bytes show wins.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import {
  brotliDecompress,
  constants,
  gunzip,
  inflate,
  inflateRaw,
  zstdDecompress,
} from "node:zlib";

type Unpack = (bytes: Uint8Array, limit: { maxOutputLength: number }) => Promise<Uint8Array>;

/** A stream without its last bytes is unpacked as far as it came: whether it is whole, its JSON shows. */
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };
const gunzipped = promisify(gunzip);
const inflated = promisify(inflate);
const inflatedRaw = promisify(inflateRaw);
const unzip: Unpack = (bytes, limit) => gunzipped(bytes, { ...LENIENT, ...limit });
const inflateZlib: Unpack = (bytes, limit) => inflated(bytes, { ...LENIENT, ...limit });
const inflateBare: Unpack = (bytes, limit) => inflatedRaw(bytes, { ...LENIENT, ...limit });

const UNPACK = new Map<string, Unpack>([
  ["gzip", unzip],
  ["x-gzip", unzip],
  // RFC 9110 means zlib; some services send the bare stream.
  [
    "deflate",
    (bytes, limit) =>
      inflateZlib(bytes, limit).catch((error: unknown) => {
        if (isTooLarge(error)) throw error;
        return inflateBare(bytes, limit);
      }),
  ],
  ["br", promisify(brotliDecompress)],
  ["zstd", promisify(zstdDecompress)],
]);

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}

/** Whether bytes are JSON or HTML as they are, although their label names an encoding. */
function isPlain(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 64)).toString("latin1");
  return /^(?:\xEF\xBB\xBF)?\s*[[{"<]/.test(start);
}

const GZIP = [0x1f, 0x8b];
const MAGIC: readonly (readonly [string, readonly number[]])[] = [
  ["gzip", GZIP],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
];

/**
 * Unpacks a body. The limit also holds for what it unpacks to: a small gzip can hold a very large page.
 *
 * @param encoding value of `Content-Encoding`; unknown words are ignored, since a body that is no JSON fails anyway
 */
export async function unpack(
  bytes: Uint8Array,
  encoding: string,
  maxBytes: number,
): Promise<Uint8Array> {
  if (isPlain(bytes)) return bytes;
  const named = encoding.toLowerCase().split(",");
  const known = named.map((name) => name.trim()).filter((name) => UNPACK.has(name));
  const [shown] = MAGIC.find(([, magic]) => startsWith(bytes, magic)) ?? [];
  const isNamed = shown === undefined || known.at(-1)?.endsWith(shown) === true;
  const names = isNamed ? known : [shown];
  let unpacked = bytes;
  for (const name of names.reverse()) {
    const step = UNPACK.get(name);
    if (step !== undefined) unpacked = await step(unpacked, { maxOutputLength: maxBytes });
  }
  // Packed twice, by the service and by a proxy, and named once.
  const again = unpacked !== bytes && startsWith(unpacked, GZIP);
  return again ? unzip(unpacked, { maxOutputLength: maxBytes }) : unpacked;
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => bytes[at] === byte);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads bytes as UTF-8; as UTF-16 where a byte order mark or the zeros of JSON in UTF-16 show it; else by the charsets that
 * `Content-Type` names, or by what the answers of the run show.
 *
 * @throws {TypeError} where none fits
 */
export function toText(bytes: Uint8Array, contentType: string, unnamed: UnnamedCharset): string {
  const [first = -1, second = -1] = bytes;
  if ((first === 0xff && second === 0xfe) || (first > 0 && second === 0)) {
    return new TextDecoder("utf-16le", { fatal: true }).decode(bytes);
  }
  if ((first === 0xfe && second === 0xff) || (first === 0 && second > 0)) {
    return new TextDecoder("utf-16be", { fatal: true }).decode(bytes);
  }
  try {
    return utf8.decode(bytes);
  } catch (error) {
    for (const [, label = ""] of contentType.matchAll(/charset\s*=\s*["']?([^\s;,"']+)/gi)) {
      const text = decodeAs(label, bytes);
      if (text !== null) return text;
    }
    const text = unnamed.read(bytes);
    if (text !== null) return text;
    throw error;
  }
}

/** Null where the label is unknown, or means UTF-8, or the bytes are not of it. */
function decodeAs(label: string, bytes: Uint8Array): string | null {
  try {
    const decoder = new TextDecoder(label, { fatal: true });
    return decoder.encoding === "utf-8" ? null : decoder.decode(bytes);
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return null;
    throw error;
  }
}

/** A letter of a European language in Windows-1252, which holds Latin-1, beside one of ASCII; and any other byte above ASCII. */
const LETTERS = /(?<=[A-Za-z])[\x80-\xFF]|[\x80-\xFF](?=[A-Za-z])/g;
const HIGH = /[\x80-\xFF]/g;
const MULTIBYTE = /[\xC2-\xDF][\x80-\xBF]|[\xE0-\xEF][\x80-\xBF]{2}|[\xF0-\xF4][\x80-\xBF]{3}/g;

/** Whether the bytes above ASCII are mostly letters of words, and no UTF-8 of which a part is broken. */
function isWestern(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString("latin1");
  const count = (pattern: RegExp): number => [...text.matchAll(pattern)].length;
  const [high, letters] = [count(HIGH), count(LETTERS)];
  return letters >= high / 2 && count(MULTIBYTE) <= high / 10;
}

/**
 * Reads bodies whose charset nothing names, and that are no UTF-8, as Windows-1252. One answer may be damaged: the first such body
 * is believed when it comes a second time.
 */
export class UnnamedCharset {
  readonly #came = new Set<string>();
  #isKnown = false;

  /** Null where another answer is needed, or the bytes are of no such charset. */
  read(bytes: Uint8Array): string | null {
    if (!isWestern(bytes)) return null;
    const digest = createHash("sha256").update(bytes).digest("base64");
    this.#isKnown ||= this.#came.has(digest);
    this.#came.add(digest);
    return this.#isKnown ? decodeAs("windows-1252", bytes) : null;
  }
}
