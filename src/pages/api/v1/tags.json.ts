/** All tags. */
import { apiResponse, termsFile } from "../../../site/api/files.ts";

export const GET = () => apiResponse(termsFile("tag"));
