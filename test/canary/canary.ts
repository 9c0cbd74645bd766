/**
 * A token that must be found nowhere, and a search for it that shares no code with the product's: each encoding is made
 * by the means of the platform.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { filesIn } from "../support/run/index.ts";

/** No hexadecimal word, so that every encoding of it is another text; and with a slash, which some JSON escapes. */
export const CANARY = "Cnry-7Qz/xK2wV9p+tR4";

const ascii = [...CANARY];
const code = (letter: string): number => letter.charCodeAt(0);

/** The digits of base64 that are the canary's alone, for each place it may begin at. */
function base64Of(encoding: "base64" | "base64url"): string[] {
  return ["", "x", "xx"].map((before) => {
    const digits = Buffer.from(before + CANARY).toString(encoding);
    const tail = (before.length + CANARY.length) % 3 === 0 ? 0 : 1;
    return digits
      .replace(/=+$/, "")
      .slice(before === "" ? 0 : before.length + 1)
      .slice(0, tail === 0 ? undefined : -1);
  });
}

export const ENCODINGS: Readonly<Record<string, readonly string[]>> = {
  raw: [CANARY],
  percent: [
    encodeURIComponent(CANARY),
    ascii.map((letter) => `%${code(letter).toString(16)}`).join(""),
  ],
  "percent twice": [encodeURIComponent(encodeURIComponent(CANARY))],
  base64: base64Of("base64"),
  base64url: base64Of("base64url"),
  "hex, lower case": [Buffer.from(CANARY).toString("hex")],
  "hex, upper case": [Buffer.from(CANARY).toString("hex").toUpperCase()],
  "decimal entities": [ascii.map((letter) => `&#${code(letter)};`).join("")],
  "hexadecimal entities": [ascii.map((letter) => `&#x${code(letter).toString(16)};`).join("")],
  "JSON escapes": [
    ascii.map((letter) => `\\u00${code(letter).toString(16)}`).join(""),
    CANARY.replaceAll("/", "\\/"),
  ],
};

/** Encodings of the canary in some bytes; letters in any case. */
export function sightings(bytes: Buffer): string[] {
  const text = bytes.toString("latin1").toLowerCase();
  return Object.entries(ENCODINGS)
    .filter(([, texts]) => texts.some((pattern) => text.includes(pattern.toLowerCase())))
    .map(([name]) => name);
}

/** Files below a folder that hold the canary, as they lie or unpacked, with the encoding; and how many were looked at. */
export function searchFolder(folder: string): { files: number; found: string[] } {
  const found: string[] = [];
  let files = 0;
  for (const path of filesIn(folder)) {
    // What the project itself is made of is reached by a link.
    if (path.includes("node_modules/")) continue;
    files++;
    const bytes = readFileSync(join(folder, path));
    const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
    for (const name of sightings(packed ? gunzipSync(bytes) : bytes))
      found.push(`${path}: ${name}`);
  }
  return { files, found };
}
