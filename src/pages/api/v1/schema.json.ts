/** What the files look like, as JSON Schema. */
import { absolute } from "../../../site/address.ts";
import { apiPath, apiResponse } from "../../../site/api/files.ts";
import { apiJsonSchema } from "../../../site/api/schema.ts";

export const GET = () => apiResponse(apiJsonSchema(absolute(apiPath("schema"))));
