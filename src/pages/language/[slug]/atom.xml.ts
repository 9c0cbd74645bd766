/** The quotes of one language, for feed readers. */
import type { APIRoute } from "astro";
import { atomOf, feedRoutes, listingFeed } from "../../../site/index.ts";

export const getStaticPaths = () => feedRoutes("language");

export const GET: APIRoute = ({ params }) => atomOf(listingFeed("language", params["slug"] ?? ""));
