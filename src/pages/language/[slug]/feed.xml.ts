/** The quotes of one language, for feed readers. */
import type { APIRoute } from "astro";
import { feedRoutes, listingFeed, rssOf } from "../../../site/index.ts";

export const getStaticPaths = () => feedRoutes("language");

export const GET: APIRoute = ({ params }) => rssOf(listingFeed("language", params["slug"] ?? ""));
