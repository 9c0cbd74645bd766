/** Which pictures there are: every kind of page, in three languages and scripts, two widths, light and dark. */

export interface Shot {
  /** Name of the file, without its ending. */
  readonly name: string;
  /** Below the site's base path. */
  readonly path: string;
  /** In CSS pixels. */
  readonly width: number;
  readonly scheme: "light" | "dark";
}

export const THEMES = ["folio", "press", "night-reader"];

/** Left to right, right to left, and a script that needs room above and below. */
export const LANGUAGES = ["en", "ar", "be"];

const WIDTHS = [320, 1280];

const SCHEMES = ["light", "dark"] as const;

/** @param language the site's own, and that of the listing */
export function shotsOf(language: string): Shot[] {
  const pages = {
    home: "",
    listing: `language/${language}/`,
    languages: "languages/",
    tags: "tags/",
    authors: "authors/",
    today: "today/",
    about: "about/",
  };
  return Object.entries(pages).flatMap(([page, path]) =>
    WIDTHS.flatMap((width) =>
      SCHEMES.map((scheme) => ({
        name: `${language}-${page}-${width}-${scheme}`,
        path,
        width,
        scheme,
      })),
    ),
  );
}
