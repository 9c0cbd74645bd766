/** A file of the sitemap. */
import type { APIRoute } from "astro";
import { sitemapFile, sitemapRoutes } from "../layouts/sitemap.ts";

export const getStaticPaths = sitemapRoutes;

export const GET: APIRoute = ({ params }) => new Response(sitemapFile(Number(params["part"])));
