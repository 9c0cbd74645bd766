/** The oEmbed description of a quote. */
import type { APIRoute } from "astro";
import { embedRoutes } from "../../../layouts/routes.ts";
import { oEmbedOf, openSite } from "../../../site/index.ts";

export const getStaticPaths = embedRoutes;

export const GET: APIRoute = ({ params }) => {
  const id = params["id"] ?? "";
  const card = openSite().embedded(id);
  if (card === undefined) throw new RangeError(`Cannot embed quote ${id}: the snapshot has none`);
  return oEmbedOf(id, card);
};
