/** The first page of one tag. */
import type { APIRoute } from "astro";
import { apiResponse, listingFile } from "../../../../site/api/files.ts";
import { apiRoutes } from "../../../../site/api/routes.ts";

export const getStaticPaths = () => apiRoutes("tag");

export const GET: APIRoute = ({ params }) => apiResponse(listingFile("tag", params["slug"] ?? ""));
