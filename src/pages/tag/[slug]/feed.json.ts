/** The quotes of one tag, for feed readers. */
import type { APIRoute } from "astro";
import { feedRoutes, jsonFeedOf, listingFeed } from "../../../site/index.ts";

export const getStaticPaths = () => feedRoutes("tag");

export const GET: APIRoute = ({ params }) => jsonFeedOf(listingFeed("tag", params["slug"] ?? ""));
