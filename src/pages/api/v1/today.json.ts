/** The quotes of the day. */
import { apiResponse, todayFile } from "../../../site/index.ts";

export const GET = () => apiResponse(todayFile());
