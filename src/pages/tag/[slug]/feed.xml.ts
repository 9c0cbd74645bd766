/** The quotes of one tag, for feed readers. */
import type { APIRoute } from "astro";
import { listingFeed } from "../../../site/feeds/feeds.ts";
import { rssOf } from "../../../site/feeds/formats.ts";
import { feedRoutes } from "../../../site/feeds/picks.ts";

export const getStaticPaths = () => feedRoutes("tag");

export const GET: APIRoute = ({ params }) =>
  rssOf(listingFeed("tag", params["slug"] ?? "", "feed.xml"));
