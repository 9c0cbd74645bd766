/**
 * Checks that `robots.txt` lets search engines in and names the sitemap.
 *
 * @see RFC 9309
 */
import type { Report } from "../finding.ts";

/**
 * @param content null where the site has no such file
 * @param sitemap the address it must name; null where the site has no sitemap
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
  if (keepsAllAway(lines)) report("hidden from search", "robots.txt disallows every page");
}

/** Whether the group for all robots refuses the whole site and allows nothing of it. */
function keepsAllAway(lines: readonly string[]): boolean {
  let forAll = false;
  let agents = false;
  let refused = false;
  for (const line of lines) {
    const [name = "", ...rest] = line.split(":");
    const value = rest.join(":").trim();
    const isAgent = name.trim().toLowerCase() === "user-agent";
    // Agents in a row share the rules behind them.
    if (isAgent) forAll = (agents && forAll) || value === "*";
    else if (forAll && /^disallow\s*$/i.test(name) && /^\/\*?$/.test(value)) refused = true;
    agents = isAgent;
  }
  return refused;
}
