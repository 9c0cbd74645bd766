/** The first page of one language. */
import type { APIRoute } from "astro";
import { apiResponse, apiRoutes, listingFile } from "../../../../site/index.ts";

export const getStaticPaths = () => apiRoutes("language");

export const GET: APIRoute = ({ params }) =>
  apiResponse(listingFile("language", params["slug"] ?? ""));
