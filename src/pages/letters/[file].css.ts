/** The sheets that declare the typefaces of a few letters. */
import { letterRoutes, respond } from "../../layouts/letters.ts";

export const getStaticPaths = () => letterRoutes(".css");
export const GET = respond;
