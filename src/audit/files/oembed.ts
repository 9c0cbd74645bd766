/**
 * Checks the oEmbed descriptions.
 *
 * @see https://oembed.com/
 */
import { z } from "zod";
import type { FileCheck } from "./file-check.ts";

const schema = z.object({
  version: z.literal("1.0"),
  type: z.literal("rich"),
  title: z.string(),
  author_name: z.string(),
  author_url: z.string(),
  provider_url: z.string(),
  width: z.int().min(1),
  height: z.int().min(1),
  html: z.string(),
});

/** A frame and nothing else: what a quote says must not come out of it. */
const FRAME = /^<iframe src="([^"<>]+)"(?: [a-z]+="[^"<>]*")*><\/iframe>$/;

export function checkOEmbed(content: unknown, { reportFault, link }: FileCheck): void {
  const read = schema.safeParse(content);
  if (!read.success) {
    for (const { path, message } of read.error.issues) reportFault(`${path.join(".")}: ${message}`);
    return;
  }
  const { html, author_url, provider_url } = read.data;
  const [, address] = FRAME.exec(html) ?? [];
  if (address === undefined) reportFault("its html is no frame");
  else link(address, "its frame");
  link(author_url, "author_url");
  link(provider_url, "provider_url");
}
