/** The most quoted authors. */
import { apiResponse, termsFile } from "../../../site/index.ts";

export const GET = () => apiResponse(termsFile("author"));
