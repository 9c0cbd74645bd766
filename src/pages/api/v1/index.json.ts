/** What there is, and how many. */
import { apiResponse, indexFile } from "../../../site/index.ts";

export const GET = () => apiResponse(indexFile());
