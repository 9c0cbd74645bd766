/** The small typefaces. */
import { letterRoutes, respond } from "../../layouts/letters.ts";

export const getStaticPaths = () => letterRoutes(".woff2");
export const GET = respond;
