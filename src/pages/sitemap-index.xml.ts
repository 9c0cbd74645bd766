/** The index of the sitemap. */
import { sitemapIndex } from "../layouts/sitemap.ts";

export const GET = () => new Response(sitemapIndex());
