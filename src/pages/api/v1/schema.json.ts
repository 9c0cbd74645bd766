/** What the files look like, as JSON Schema. */
import { absolute, apiJsonSchema, apiPath, apiResponse } from "../../../site/index.ts";

export const GET = () => apiResponse(apiJsonSchema(absolute(apiPath("schema"))));
