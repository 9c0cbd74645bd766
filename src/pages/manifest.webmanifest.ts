/** The manifest of the installed site. */
import { papers } from "virtual:commonplace/install";
import { languageOf } from "../contract/languages.ts";
import { href, siteSettings } from "../site/index.ts";

export const GET = () => {
  const { site } = siteSettings();
  const { tag, dir } = languageOf(site.language);
  const icon = (name: string, side: number, purpose: string) => ({
    src: href(`/${name}.png`),
    sizes: `${side}x${side}`,
    type: "image/png",
    purpose,
  });
  const manifest = {
    id: href("/"),
    name: site.title,
    description: site.description,
    lang: tag,
    dir,
    start_url: href("/"),
    scope: href("/"),
    display: "minimal-ui",
    background_color: papers.light,
    theme_color: papers.light,
    icons: [
      { src: href("/icon.svg"), sizes: "any", type: "image/svg+xml", purpose: "any" },
      icon("icon-192", 192, "any"),
      icon("icon-512", 512, "any"),
      icon("icon-maskable", 512, "maskable"),
    ],
  };
  return Response.json(manifest, { headers: { "Content-Type": "application/manifest+json" } });
};
