/** A small set of random quotes. */
import type { APIRoute } from "astro";
import { apiHead, randomRoutes, randomSet, toApiQuote } from "../../../../site/index.ts";

export const getStaticPaths = randomRoutes;

export const GET: APIRoute = ({ params }) => {
  const quotes = randomSet(params["file"] ?? "").map(toApiQuote);
  return Response.json({ ...apiHead(), quotes });
};
