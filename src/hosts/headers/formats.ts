/** Header rules in the words of each host. No value here can end its line: names and policies were checked before. */
import type { HeaderRule } from "./rules.ts";

/** Of Cloudflare and Netlify: a path, and below it a header a line. */
export function headersFile(rules: readonly HeaderRule[]): string {
  return rules
    .map(({ path, below, headers }) => {
      const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}\n`);
      return `${path}${below ? "*" : ""}\n${lines.join("")}`;
    })
    .join("\n");
}

export interface VercelHeaders {
  readonly source: string;
  readonly headers: readonly { readonly key: string; readonly value: string }[];
}

export function vercelHeaders(rules: readonly HeaderRule[]): VercelHeaders[] {
  return rules.map(({ path, below, headers }) => ({
    source: literal(path) + (below ? "(.*)" : ""),
    headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
  }));
}

/** A path as a literal in a pattern of Vercel. */
export function literal(path: string): string {
  return path.replace(/[()[\]{}*+?:!.|^$\\]/g, "\\$&");
}

const NGINX_HEAD = `# Headers of the site, for the server block that serves it: include this file there.
# Made by each render; the policies follow from the pages. See docs/hosts.md.
`;

/** For a server of one's own. A block with headers of its own has none of those outside, so each names them all. */
export function nginxSnippet(rules: readonly HeaderRule[]): string {
  const [everything, ...parts] = rules;
  const common = everything?.headers ?? {};
  const blocks = parts.map(({ path, below, headers }) => {
    const lines = Object.entries({ ...common, ...headers }).map(addHeader);
    // nginx answers the address of a folder from its index file, whose location it then looks up.
    const file = !below && path.endsWith("/") ? `${path}index.html` : path;
    const match = below ? "^~" : "=";
    return `location ${match} ${quoted(decodeURIComponent(file))} {\n${lines.join("")}}\n`;
  });
  const outside = Object.entries(common).map(addHeader);
  return `${NGINX_HEAD}\n${outside.join("")}\n${blocks.join("\n")}`;
}

function addHeader([name, value]: [string, string]): string {
  return `  add_header ${name} ${quoted(value)} always;\n`;
}

/** A dollar sign would begin a variable, and nginx knows no way to write one. */
function quoted(text: string): string {
  return `"${text.replace(/[$\r\n]/g, "").replace(/["\\]/g, "\\$&")}"`;
}
