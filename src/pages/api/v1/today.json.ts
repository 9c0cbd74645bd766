/** The quotes of the day. */
import { apiResponse, todayFile } from "../../../site/api/files.ts";

export const GET = () => apiResponse(todayFile());
