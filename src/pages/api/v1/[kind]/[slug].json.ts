/** The first page of a language, a tag or an author. */
import type { APIRoute } from "astro";
import { apiRoutes, listingFile, type ListingKind } from "../../../../site/index.ts";

const KINDS = ["language", "tag", "author"] as const;

export const getStaticPaths = () => KINDS.flatMap(apiRoutes);

export const GET: APIRoute = ({ params }) =>
  Response.json(listingFile(params["kind"] as ListingKind, params["slug"] ?? ""));
