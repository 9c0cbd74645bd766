/** The first page of one author. */
import type { APIRoute } from "astro";
import { apiResponse, listingFile } from "../../../../site/api/files.ts";
import { apiRoutes } from "../../../../site/api/routes.ts";

export const getStaticPaths = () => apiRoutes("author");

export const GET: APIRoute = ({ params }) =>
  apiResponse(listingFile("author", params["slug"] ?? ""));
