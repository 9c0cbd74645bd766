/** The oEmbed description of a quote. */
import type { APIRoute } from "astro";
import { fitOf } from "../../../contract/quote-fit.ts";
import { embedRoutes } from "../../../layouts/routes.ts";
import { oEmbedOf, openSite } from "../../../site/index.ts";

export const getStaticPaths = embedRoutes;

export const GET: APIRoute = ({ params }) => {
  const id = params["id"] ?? "";
  const card = openSite().embedded(id);
  if (card === undefined) throw new RangeError(`Cannot embed quote ${id}: the snapshot has none`);
  const isSmall = ["long", "full"].includes(fitOf(card.quote.text));
  return oEmbedOf(id, card, isSmall ? "small" : "large");
};
