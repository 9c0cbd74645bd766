/**
 * Checks that `robots.txt` allows search engines and names the sitemap.
 *
 * @see RFC 9309
 */
import type { Report } from "../finding.ts";

/**
 * @param content null where the site has no such file
 * @param sitemap address of the sitemap; null where the site has none
 */
export function auditRobots(content: string | null, sitemap: string | null, report: Report): void {
  if (content === null) {
    if (sitemap !== null)
      report("robots.txt", "it is missing, so search engines do not find the sitemap");
    return;
  }
  const lines = content
    .split(/\r\n?|\n/)
    .map((line) => line.replace(/#.*/, "").trim())
    .filter((line) => line !== "");
  for (const line of lines) {
    if (!/^[\w-]+\s*:/.test(line)) report("robots.txt", `"${line}" is no rule`);
  }
  const named = lines.flatMap((line) => /^sitemap\s*:\s*(.*)/i.exec(line)?.[1] ?? []);
  if (sitemap !== null && !named.includes(sitemap))
    report("robots.txt", `it does not name ${sitemap}`);
  for (const other of named) if (other !== sitemap) report("robots.txt", `it names ${other}`);
  if (keepsAllAway(lines.join("\n")))
    report("hidden from search", "robots.txt disallows every page");
}

/** Whether the group for all robots disallows the whole site. Consecutive agents share the rules that follow. */
const keepsAllAway = (rules: string): boolean =>
  rules
    .split(/^(?<!^user-agent\s*:.*\n)(?=user-agent\s*:)/im)
    .some(
      (group) => /^user-agent\s*:\s*\*$/im.test(group) && /^disallow\s*:\s*\/\*?$/im.test(group),
    );
