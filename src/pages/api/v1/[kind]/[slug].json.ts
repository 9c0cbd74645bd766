/** The first page of a language, a tag or an author. */
import type { APIRoute } from "astro";
import { apiRoutes, listingFile, type ListingKind } from "../../../../site/index.ts";

const KINDS = ["language", "tag", "author"] as const;

export const getStaticPaths = () =>
  KINDS.flatMap((kind) =>
    apiRoutes(kind).map(({ params: { slug }, cacheKey }) => {
      return { params: { kind, slug }, props: { kind }, cacheKey };
    }),
  );

export const GET: APIRoute<{ kind: ListingKind }> = ({ params, props }) =>
  Response.json(listingFile(props.kind, params["slug"] ?? ""));
