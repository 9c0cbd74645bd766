/** Validates the files of the JSON API with the JSON Schema that the site publishes. */
import { z } from "zod";
import { readAs, type ReportFault } from "./file-check.ts";
import { getOrCompute } from "../../util/get-or-compute.ts";

export const API_FOLDER = "api/v1/";
export const API_SCHEMA = `${API_FOLDER}schema.json`;

/** The definition of the schema for each file, by its name below the folder. */
const DEFINITIONS: readonly (readonly [RegExp, string])[] = [
  [/^index\.json$/, "index"],
  [/^today\.json$/, "today"],
  [/^(?:languages|tags|authors)\.json$/, "terms"],
  [/^(?:language|tag|author)\/[^/]+\.json$/, "listing"],
  [/^random\/[^/]+\.json$/, "random"],
  [/^where\/[^/]+\.json$/, "where"],
];

export type ApiCheck = ReturnType<typeof apiCheck>;

const publishedSchema = z.object({ $defs: z.record(z.string(), z.unknown()) });

/**
 * @param readSchema parses the published schema; a value that is no schema defines nothing
 * @returns a function that checks one file of the API
 */
export function apiCheck(readSchema: () => unknown) {
  const schemas = new Map<string, z.ZodType | null>();
  return (file: string, content: unknown, reportFault: ReportFault): void => {
    const name = file.slice(API_FOLDER.length);
    const definition = DEFINITIONS.find(([pattern]) => pattern.test(name))?.[1];
    if (definition === undefined) return;
    const schema = getOrCompute(schemas, definition, () => {
      const published = publishedSchema.safeParse(readSchema());
      return zodTypeOf(published.data?.$defs[definition]);
    });
    if (schema !== null) readAs(schema, content, reportFault);
    else reportFault(`${API_SCHEMA} has no usable definition of "${definition}"`);
  };
}

function zodTypeOf(definition: unknown): z.ZodType | null {
  if (typeof definition !== "object" || definition === null) return null;
  try {
    return z.fromJSONSchema(definition as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (error) {
    // Zod throws a plain Error for a schema that it cannot read.
    if (error instanceof Error) return null;
    throw error;
  }
}
