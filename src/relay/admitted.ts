/**
 * Whether a request comes from a page of the site and, where the browser can tell, from a person's act.
 *
 * This keeps other sites' pages out. A program can claim any origin: against those there are the limits.
 *
 * @param site origin of the site
 * @see Fetch Metadata Request Headers, W3C
 */
export function admitted(headers: Headers, site: string): boolean {
  if (headers.get("Origin") !== site) return false;
  const from = headers.get("Sec-Fetch-Site");
  // Browsers of before 2023 say nothing of this; their Origin is true all the same.
  if (from === null) return true;
  if (from === "none") return false;
  const mode = headers.get("Sec-Fetch-Mode");
  const target = headers.get("Sec-Fetch-Dest");
  if (mode === "cors") return target === "empty";
  // A form without JavaScript: in a window of its own, after a click.
  return mode === "navigate" && target === "document" && headers.get("Sec-Fetch-User") === "?1";
}
