/** The files of the small site that are no pages: its sitemap, feeds, API and `robots.txt`, each as it should be. */

export const ORIGIN = "https://q.example";

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

export const sitemapOf = (...paths: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${NAMESPACE}">${paths
    .map((path) => `<url><loc>${ORIGIN}${path}</loc><lastmod>2026-11-21</lastmod></url>`)
    .join("")}</urlset>`;

export const LISTED = ["/", "/tag/love/", "/tag/love/2/", "/author/%D1%82/"];

export const rss = (items: string, channel = "<description>d</description>"): string =>
  `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>t</title><link>${ORIGIN}/</link>${channel}<atom:link href="${ORIGIN}/feed.xml" rel="self"/>${items}</channel></rss>`;

export const item = (more = ""): string =>
  `<item><title>a &amp; b</title><link>${ORIGIN}/tag/love/#q1</link><pubDate>Sat, 21 Nov 2026 00:00:00 GMT</pubDate>${more}</item>`;

export const atom = (entry = "", head = "<id>urn:x</id><title>t</title>"): string =>
  `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">${head}<updated>2026-11-21T00:00:00Z</updated><author><name>a</name></author><link rel="self" href="${ORIGIN}/atom.xml"/><link href="${ORIGIN}/"/><entry><id>urn:1</id><title>t</title><updated>2026-11-21T00:00:00Z</updated><link href="${ORIGIN}/tag/love/#q1"/>${entry}</entry></feed>`;

export const jsonFeed = (more: object = {}, entry: object = {}): string =>
  JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: "t",
    feed_url: `${ORIGIN}/feed.json`,
    home_page_url: `${ORIGIN}/`,
    items: [
      {
        id: "1",
        url: `${ORIGIN}/tag/love/`,
        content_text: "x",
        date_published: "2026-11-21T00:00:00Z",
        ...entry,
      },
    ],
    ...more,
  });

const today = {
  type: "object",
  properties: { date: { type: "string" }, quotes: { type: "array", items: { type: "integer" } } },
  required: ["date", "quotes"],
  additionalProperties: false,
};

export const OTHER_FILES: Readonly<Record<string, string>> = {
  "robots.txt": `User-agent: *\nAllow: /\n\nSitemap: ${ORIGIN}/sitemap-index.xml\n`,
  "sitemap-index.xml": `<?xml version="1.0"?><sitemapindex xmlns="${NAMESPACE}"><sitemap><loc>${ORIGIN}/sitemap-1.xml</loc></sitemap></sitemapindex>`,
  "sitemap-1.xml": sitemapOf(...LISTED),
  "feed.xml": rss(item()),
  "atom.xml": atom(),
  "feed.json": jsonFeed(),
  "api/v1/schema.json": JSON.stringify({ $defs: { today } }),
  "api/v1/today.json": JSON.stringify({ date: "2026-11-21", quotes: [1, 2] }),
};
