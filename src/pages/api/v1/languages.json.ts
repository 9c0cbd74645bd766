/** All languages. */
import { apiResponse, termsFile } from "../../../site/index.ts";

export const GET = () => apiResponse(termsFile("language"));
