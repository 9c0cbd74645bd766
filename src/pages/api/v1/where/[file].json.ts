/** On which page quotes stand: what a permalink asks whose page has shifted. */
import type { APIRoute } from "astro";
import { apiHead, apiResponse } from "../../../../site/api/files.ts";
import { placeRoutes } from "../../../../site/api/routes.ts";
import { placesIn } from "../../../../site/api/where.ts";
import { openSite } from "../../../../site/open-site.ts";

export const getStaticPaths = placeRoutes;

export const GET: APIRoute = ({ params }) => {
  const where = placesIn(openSite(), Number(params["file"]));
  return apiResponse({ schema: apiHead().schema, where });
};
