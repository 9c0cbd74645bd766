/** The style sheets of the small typefaces. */
import { letterRoutes, respond } from "../../layouts/letters.ts";

export const getStaticPaths = () => letterRoutes(".css");
export const GET = respond;
