/** The quotes of one language, for feed readers. */
import type { APIRoute } from "astro";
import { feedRoutes, jsonFeedOf, listingFeed } from "../../../site/index.ts";

export const getStaticPaths = () => feedRoutes("language");

export const GET: APIRoute = ({ params }) =>
  jsonFeedOf(listingFeed("language", params["slug"] ?? ""));
