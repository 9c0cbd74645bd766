/** The typefaces of a few letters, and the sheets that declare them. */
import type { APIRoute } from "astro";
import { forgetFaces, LETTER_SETS, letterFiles } from "../../layouts/letters.ts";

export async function getStaticPaths() {
  const files = new Map<string, string | Uint8Array<ArrayBuffer>>();
  for (const set of LETTER_SETS) {
    for (const [file, content] of (await letterFiles(set)).files) files.set(file, content);
  }
  forgetFaces();
  return Array.from(files, ([file, content]) => ({ params: { file }, props: { content } }));
}

export const GET: APIRoute<{ content: string | Uint8Array<ArrayBuffer> }> = ({ props }) =>
  new Response(props.content);
