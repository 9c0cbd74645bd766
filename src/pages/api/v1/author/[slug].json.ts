/** The first page of one author. */
import type { APIRoute } from "astro";
import { apiResponse, apiRoutes, listingFile } from "../../../../site/index.ts";

export const getStaticPaths = () => apiRoutes("author");

export const GET: APIRoute = ({ params }) =>
  apiResponse(listingFile("author", params["slug"] ?? ""));
