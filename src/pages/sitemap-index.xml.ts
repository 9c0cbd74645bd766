/** The list of the sitemap's files. */
import { sitemapIndex } from "../layouts/sitemap.ts";

export const GET = () => new Response(sitemapIndex());
