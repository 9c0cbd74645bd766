/** The first page of one language. */
import type { APIRoute } from "astro";
import { apiResponse, listingFile } from "../../../../site/api/files.ts";
import { apiRoutes } from "../../../../site/api/routes.ts";

export const getStaticPaths = () => apiRoutes("language");

export const GET: APIRoute = ({ params }) =>
  apiResponse(listingFile("language", params["slug"] ?? ""));
