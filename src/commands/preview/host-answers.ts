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
  /** Where a path is redirected to; null where it is not. */
  redirect(path: string): string | null;
}

/** No rules: files named by their content may be kept, all others are asked for again. */
export const PLAIN_ANSWERS: HostAnswers = {
  headers: (path) => ({ "cache-control": path.includes("/_astro/") ? "max-age=3600" : "no-cache" }),
  redirect: () => null,
};

interface Rule {
  readonly source: RegExp;
  readonly headers: (readonly [name: string, value: string])[];
}

/** @param headersText rules in the form of `_headers`, for a host that has no file of its own in the site */
export function hostAnswers(outDir: string, headersText: string | null): HostAnswers {
  const vercel = read(outDir, "vercel.json");
  if (vercel !== null) return vercelAnswers(vercel);
  const rules = parseHeaders(read(outDir, "_headers") ?? headersText ?? "");
  const lines = (read(outDir, "_redirects") ?? "")
    .split("\n")
    .filter((line) => !/^#|^$/.test(line));
  const redirects = lines.map((line) => line.trim().split(/\s+/));
  return {
    // The first rule for a path is the one that counts.
    redirect: (path) => redirects.find(([from]) => from === path)?.[1] ?? null,
    headers(path) {
      const all: Record<string, string> = {};
      for (const [name, value] of headersFor(rules, path)) {
        all[name] = all[name] === undefined ? value : `${all[name]}, ${value}`;
      }
      return all;
    },
  };
}

const headersFor = (rules: readonly Rule[], path: string): Rule["headers"] =>
  rules.filter(({ source }) => source.test(path)).flatMap(({ headers }) => headers);

function parseHeaders(text: string): Rule[] {
  const rules: Rule[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [, name, value] = /^\s+([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) rules.at(-1)?.headers.push([name, value]);
    else rules.push({ source: expressionOf(line.trim()), headers: [] });
  }
  return rules;
}

/** A star matches all that follows it. */
function expressionOf(pattern: string): RegExp {
  return new RegExp(`^${pattern.split("*").map(RegExp.escape).join(".*")}$`);
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

/** The patterns that we write for Vercel are expressions as they are. */
function vercelAnswers(text: string): HostAnswers {
  const { headers, redirects } = vercelSchema.parse(JSON.parse(text));
  const rules = headers.map((rule): Rule => ({
    source: new RegExp(`^${rule.source}$`),
    headers: rule.headers.map(({ key, value }) => [key, value]),
  }));
  return {
    redirect: (path) =>
      redirects.find(({ source }) => new RegExp(`^${source}$`).test(path))?.destination ?? null,
    headers: (path) => Object.fromEntries(headersFor(rules, path)),
  };
}

function read(outDir: string, name: string): string | null {
  const path = join(outDir, name);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}
