/** The messages of a page's scripts, as JSON for a script element. */
import { memoise } from "../../util/memoise.ts";
import type { Locale } from "../../i18n/locale.ts";
import type { PageWords } from "../../islands/browser.ts";
import { href, safeJson, siteSettings } from "../../site/index.ts";

export const pageWords = perLocale((locale): PageWords => {
  const { reader, follow, vote, card, book, image } = locale;
  const { search, next, previous, random, shortcuts, shortcutsOn, close } = reader;
  const { keep, copied, copyFailed, full, blocked, damaged } = reader;
  const { removed, undo, all, copyAs } = book;
  const { report, confirm } = vote.card;
  const { site, voteBaseUrl } = siteSettings();
  return {
    base: href("/"),
    offline: site.offline,
    ...(site.offline && { copyFrom: follow.copyFrom }),
    acts: { share: reader.share, picture: image.name, link: reader.copyLink },
    image,
    copies: {
      text: reader.copyText,
      markdown: reader.copyMarkdown,
      html: reader.copyHtml,
      ...(site.embeds > 0 && { embed: follow.embed }),
    },
    ...(voteBaseUrl !== null && { report, confirm }),
    ...{ search, next, previous, random, shortcuts, shortcutsOn, close },
    ...{ keep, copied, copyFailed, full, blocked, damaged },
    ...{ kept: card.kept, removed, undo, all, copyAs },
  };
});

export const voteWords = perLocale((locale) => locale.vote.states);

function perLocale(words: (locale: Locale) => unknown): (locale: Locale) => string {
  return memoise((locale: Locale) => safeJson(words(locale)));
}
