/** The quotes of one tag, for feed readers. */
import type { APIRoute } from "astro";
import { atomOf, feedRoutes, listingFeed } from "../../../site/index.ts";

export const getStaticPaths = () => feedRoutes("tag");

export const GET: APIRoute = ({ params }) => atomOf(listingFeed("tag", params["slug"] ?? ""));
