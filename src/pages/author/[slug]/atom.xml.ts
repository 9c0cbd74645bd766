/** The quotes of one author, for feed readers. */
import type { APIRoute } from "astro";
import { atomOf, feedRoutes, listingFeed } from "../../../site/index.ts";

export const getStaticPaths = () => feedRoutes("author");

export const GET: APIRoute = ({ params }) => atomOf(listingFeed("author", params["slug"] ?? ""));
