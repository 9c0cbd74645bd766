/** The single files of the JSON API: index, lists of terms, quotes of the day, JSON Schema. */
import type { APIRoute } from "astro";
import {
  absolute,
  apiJsonSchema,
  apiPath,
  indexFile,
  termsFile,
  todayFile,
} from "../../../site/index.ts";

const FILES: Readonly<Record<string, () => object>> = {
  index: indexFile,
  today: todayFile,
  languages: () => termsFile("language"),
  tags: () => termsFile("tag"),
  authors: () => termsFile("author"),
  schema: () => apiJsonSchema(absolute(apiPath("schema"))),
};

export const getStaticPaths = () => Object.keys(FILES).map((file) => ({ params: { file } }));

export const GET: APIRoute = ({ params }) => Response.json(FILES[params["file"] ?? ""]?.() ?? {});
