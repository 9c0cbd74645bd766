/** One of many small sets of quotes to choose from by chance. */
import type { APIRoute } from "astro";
import { apiHead, apiResponse, toApiQuote } from "../../../../site/api/files.ts";
import { randomSet } from "../../../../site/api/random.ts";
import { randomRoutes } from "../../../../site/api/routes.ts";
import { openSite } from "../../../../site/open-site.ts";

export const getStaticPaths = randomRoutes;

export const GET: APIRoute = ({ params }) => {
  const quotes = randomSet(openSite(), Number(params["file"])).map(toApiQuote);
  return apiResponse({ ...apiHead(), quotes });
};
