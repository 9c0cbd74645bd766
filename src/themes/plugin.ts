/** The Vite plugin of themes and of the fork's own folder: redirects imports to overrides, and collects the sheets. */
import { basename, isAbsolute, join } from "node:path";
import { overrideOf } from "./overrides.ts";
import { themeFolders, themeSheets, type ThemePlaces } from "./theme.ts";

/** Imports every sheet of the theme and of `site/`, in order. */
const STYLES = "virtual:commonplace/styles";

/** The same without the themes' layouts: for pages to embed, which have the tokens alone. */
const TOKENS = "virtual:commonplace/tokens";

/** The part of a Vite plugin that this module is; spelled out, so that nothing of Vite is imported for a type. */
interface ResolveContext {
  resolve(
    source: string,
    importer: string,
    options: { skipSelf: true },
  ): Promise<{ readonly id: string } | null>;
}

/** Files outside of the project reach its modules as `commonplace/components/quote/Card.astro`. */
export function themePlugin(theme: string, places: ThemePlaces) {
  const src = join(places.root, "src");
  const themes = themeFolders(theme, places);
  const folders = [...(places.site === null ? [] : [places.site]), ...themes, src];
  return {
    name: "commonplace:theme",
    enforce: "pre" as const,
    async resolveId(this: ResolveContext, source: string, importer: string | undefined) {
      if (source === STYLES || source === TOKENS) return `\0${source}`;
      if (importer === undefined || source.includes("?")) return null;
      const own = /^commonplace\/((?:components|layouts)\/.*)/.exec(source)?.[1];
      const file =
        own === undefined
          ? (await this.resolve(source, importer, { skipSelf: true }))?.id
          : join(src, own);
      if (file === undefined || !isAbsolute(file)) return null;
      const asking = importer.split("?")[0] ?? "";
      return overrideOf(file, asking, { folders }) ?? (own === undefined ? null : file);
    },
    load(id: string) {
      if (id !== `\0${STYLES}` && id !== `\0${TOKENS}`) return null;
      const sheets = themeSheets(themes, places.site).filter(
        (sheet) => id === `\0${STYLES}` || basename(sheet) !== "theme.css",
      );
      return sheets
        .map((sheet) => `import ${JSON.stringify(sheet.replaceAll("\\", "/"))};`)
        .join("\n");
    },
  };
}
