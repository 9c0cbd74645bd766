/** The page of each quote, for permalinks to a page that the quote has left. */
import type { APIRoute } from "astro";
import { apiHead, placeRoutes, placesIn } from "../../../../site/index.ts";

export const getStaticPaths = placeRoutes;

export const GET: APIRoute = ({ params }) => {
  const where = placesIn(Number(params["file"]));
  return Response.json({ schema: apiHead().schema, where });
};
