/**
 * What a host would answer besides the file: it reads the files that were written for the host, as the host reads them.
 *
 * Values that several rules give one header are joined, as Cloudflare and Netlify do; Vercel takes the last.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

export interface HostAnswers {
  /** Headers of an answer, by name. */
  headers(path: string): Record<string, string>;
  /** Where a path leads on to; null where it does not. */
  redirect(path: string): string | null;
}

/** No rules: what is called by its content may be kept, all else is asked for again. */
export const PLAIN_ANSWERS: HostAnswers = {
  headers: (path) => ({ "cache-control": path.includes("/_astro/") ? "max-age=3600" : "no-cache" }),
  redirect: () => null,
};

interface Rule {
  readonly matches: (path: string) => boolean;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** @param headersText rules in the form of `_headers`, for a host that has no file of its own in the site */
export function hostAnswers(outDir: string, headersText: string | null): HostAnswers {
  const vercel = read(outDir, "vercel.json");
  if (vercel !== null) return vercelAnswers(vercel);
  const rules = parseHeaders(read(outDir, "_headers") ?? headersText ?? "");
  const redirects = new Map<string, string>();
  for (const line of (read(outDir, "_redirects") ?? "").split("\n")) {
    if (line.startsWith("#")) continue;
    const [from = "", to] = line.trim().split(/\s+/);
    // The first rule for a path is the one that counts.
    if (to !== undefined && !redirects.has(from)) redirects.set(from, to);
  }
  return {
    redirect: (path) => redirects.get(path) ?? null,
    headers(path) {
      const all: Record<string, string> = {};
      for (const rule of rules.filter(({ matches }) => matches(path))) {
        for (const [name, value] of rule.headers) {
          all[name] = all[name] === undefined ? value : `${all[name]}, ${value}`;
        }
      }
      return all;
    },
  };
}

function parseHeaders(text: string): Rule[] {
  const rules: { matches: Rule["matches"]; headers: (readonly [string, string])[] }[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [, name, value] = /^\s+([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) rules.at(-1)?.headers.push([name, value]);
    else rules.push({ matches: matcher(line.trim()), headers: [] });
  }
  return rules;
}

/** A star matches all that follows it. */
function matcher(pattern: string): (path: string) => boolean {
  const [start = "", ...ends] = pattern.split("*");
  if (ends.length === 0) return (path) => path === pattern;
  return (path) => path.startsWith(start) && path.endsWith(ends.join(""));
}

const vercelSchema = z.object({
  headers: z.array(
    z.object({
      source: z.string(),
      headers: z.array(z.object({ key: z.string(), value: z.string() })),
    }),
  ),
  redirects: z.array(z.object({ source: z.string(), destination: z.string() })),
});

/** The patterns that we write for Vercel are expressions as they stand. */
function vercelAnswers(text: string): HostAnswers {
  const { headers, redirects } = vercelSchema.parse(JSON.parse(text));
  const rules = headers.map((rule) => ({ ...rule, source: new RegExp(`^${rule.source}$`) }));
  const moved = redirects.map((rule) => ({ ...rule, source: new RegExp(`^${rule.source}$`) }));
  return {
    redirect: (path) => moved.find(({ source }) => source.test(path))?.destination ?? null,
    headers: (path) =>
      Object.fromEntries(
        rules
          .filter(({ source }) => source.test(path))
          .flatMap((rule) => rule.headers.map(({ key, value }) => [key, value])),
      ),
  };
}

function read(outDir: string, name: string): string | null {
  const path = join(outDir, name);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}
