/** The quotes of one author, for feed readers. */
import type { APIRoute } from "astro";
import { feedRoutes, jsonFeedOf, listingFeed } from "../../../site/index.ts";

export const getStaticPaths = () => feedRoutes("author");

export const GET: APIRoute = ({ params }) =>
  jsonFeedOf(listingFeed("author", params["slug"] ?? ""));
