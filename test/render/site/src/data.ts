/** What the pages show: a file that the tests write, named by the environment. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

export interface Line {
  readonly id: number;
  readonly text: string;
  readonly by: string | null;
  readonly tags: readonly string[];
}

export const lines = JSON.parse(readFileSync(process.env["DATA"] ?? "", "utf8")) as Line[];

export const PER_PAGE = 3;

export function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);
}

export function tagged(tag: string): Line[] {
  return lines.filter(({ tags }) => tags.includes(tag));
}

export const tags = [...new Set(lines.flatMap((line) => line.tags))].sort();
