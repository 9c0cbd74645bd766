/** The first page of one tag. */
import type { APIRoute } from "astro";
import { apiResponse, apiRoutes, listingFile } from "../../../../site/index.ts";

export const getStaticPaths = () => apiRoutes("tag");

export const GET: APIRoute = ({ params }) => apiResponse(listingFile("tag", params["slug"] ?? ""));
