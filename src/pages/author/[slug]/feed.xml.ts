/** The quotes of one author, for feed readers. */
import type { APIRoute } from "astro";
import { feedRoutes, listingFeed, rssOf } from "../../../site/index.ts";

export const getStaticPaths = () => feedRoutes("author");

export const GET: APIRoute = ({ params }) => rssOf(listingFeed("author", params["slug"] ?? ""));
