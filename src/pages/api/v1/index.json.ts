/** What there is, and how many. */
import { apiResponse, indexFile } from "../../../site/api/files.ts";

export const GET = () => apiResponse(indexFile());
