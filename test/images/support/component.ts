/** Picture.astro as HTML and as a sheet. */
import { readFileSync } from "node:fs";
import { experimental_AstroContainer as AstroContainer } from "astro/container";
import type { AstroComponentFactory } from "astro/runtime/server/index.js";
import type { Picture } from "../../../src/contract/picture.ts";

// A name that tsc does not follow: it knows no type of `.astro` files, `astro check` does.
const component: string = "../../../src/components/quote/Picture.astro";

export async function renderPicture(picture: Picture, alt: string): Promise<string> {
  const container = await AstroContainer.create();
  const { default: factory } = (await import(component)) as { default: AstroComponentFactory };
  return container.renderToString(factory, { props: { picture, alt } });
}

export function pictureSheet(): string {
  return readFileSync(new URL("../../../src/styles/quote.css", import.meta.url), "utf8");
}
