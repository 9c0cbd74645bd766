/** Allows everything, and names the sitemap. */
import { absolute } from "../site/index.ts";

export const GET = () =>
  new Response(`User-agent: *\nAllow: /\n\nSitemap: ${absolute("/sitemap-index.xml")}\n`);
