/** Everything may be read; the sitemap says what there is. */
import { absolute } from "../site/index.ts";

export const GET = () =>
  new Response(`User-agent: *\nAllow: /\n\nSitemap: ${absolute("/sitemap-index.xml")}\n`);
