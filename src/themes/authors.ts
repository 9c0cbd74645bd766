/** Reads `site/authors.yaml`: a line of biography, years, a link, a portrait and the Wikidata item of authors. */
import { z } from "zod";
import type { AuthorFacts, AuthorsFile } from "../contract/author-facts.ts";
import { plainLine } from "../util/text.ts";
import { sitePicture } from "../settings/site-config.ts";
import { readYaml, textLine } from "./site-yaml.ts";

const line = (most: number) =>
  textLine(most).pipe(z.string().min(1, "expected text")).nullable().default(null);

const factsSchema = z.strictObject({
  bio: line(500),
  years: line(60),
  wikidata: line(20).refine(
    (id) => id === null || /^Q[1-9]\d*$/.test(id),
    "expected an id such as Q131149",
  ),
  link: line(1_000).refine(
    (address) => address === null || /^https?:$/.test(URL.parse(address)?.protocol ?? ""),
    "expected an http or https address",
  ),
  portrait: line(300).pipe(sitePicture.nullable()),
});

/** @throws {ConfigurationError} with the file and the line */
export function readAuthors(file: string): AuthorsFile {
  const document = readYaml(file, "the authors");
  const authors = new Map<string, AuthorFacts>();
  if (document === null) return authors;
  const { root, refuse } = document;
  if (root === null || root === undefined) return authors;
  if (!(root instanceof Map)) return refuse([], "expected names of authors with their facts");
  for (const [key, value] of root) {
    const name = plainLine(String(key));
    if (name === "") return refuse([key], "expected the name of an author");
    if (!(value instanceof Map)) return refuse([key], "expected facts such as bio and years");
    const parsed = factsSchema.safeParse(Object.fromEntries(value));
    const issue = parsed.error?.issues[0];
    if (parsed.success) authors.set(name, parsed.data);
    else if (issue?.code === "unrecognized_keys")
      return refuse([key, issue.keys[0]], "there is no such key");
    else return refuse([key, ...(issue?.path ?? [])], issue?.message ?? "not understood");
  }
  return authors;
}
