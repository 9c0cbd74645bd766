/** The quotes of one tag, for feed readers. */
import type { APIRoute } from "astro";
import { feedRoutes, listingFeed, rssOf } from "../../../site/index.ts";

export const getStaticPaths = () => feedRoutes("tag");

export const GET: APIRoute = ({ params }) => rssOf(listingFeed("tag", params["slug"] ?? ""));
