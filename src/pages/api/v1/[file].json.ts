/** The files of which there is one: what there is and how many, the lists of terms, the quotes of the day, the JSON Schema. */
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
