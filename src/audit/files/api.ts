/** The files of the JSON API against the schema that is published with them: what is promised to programs. */
import { z } from "zod";
import { readAs, type ReportFault } from "./file-check.ts";

/** Of the first version. */
export const API_FOLDER = "api/v1/";
export const API_SCHEMA = `${API_FOLDER}schema.json`;

/** Which definition of the schema a file keeps to, by its name below the folder. */
const DEFINITIONS: readonly (readonly [RegExp, string])[] = [
  [/^index\.json$/, "index"],
  [/^today\.json$/, "today"],
  [/^(?:languages|tags|authors)\.json$/, "terms"],
  [/^(?:language|tag|author)\/[^/]+\.json$/, "listing"],
  [/^random\/[^/]+\.json$/, "random"],
  [/^where\/[^/]+\.json$/, "where"],
];

export type ApiCheck = ReturnType<typeof apiCheck>;

/**
 * @param schema the published file, parsed; anything at all
 * @returns what checks a file below the output folder; the schema itself is not checked
 */
export function apiCheck(schema: unknown) {
  const read = z.object({ $defs: z.record(z.string(), z.unknown()) }).safeParse(schema);
  const made = new Map<string, z.ZodType | null>();
  return (file: string, content: unknown, reportFault: ReportFault): void => {
    const name = file.slice(API_FOLDER.length);
    const definition = DEFINITIONS.find(([pattern]) => pattern.test(name))?.[1];
    if (definition === undefined) return;
    const schema = made.getOrInsertComputed(definition, () => madeOf(read.data?.$defs[definition]));
    if (schema !== null) readAs(schema, content, reportFault);
    else reportFault(`${API_SCHEMA} has no usable definition of "${definition}"`);
  };
}

function madeOf(definition: unknown): z.ZodType | null {
  if (typeof definition !== "object" || definition === null) return null;
  try {
    return z.fromJSONSchema(definition as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (error) {
    // Zod says so of a schema that it cannot read, with an error of no class of its own.
    if (error instanceof Error) return null;
    throw error;
  }
}
