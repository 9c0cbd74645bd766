/** The messages of a page's scripts, as JSON for a script element. */
import { memoise } from "../../util/memoise.ts";
import type { Locale } from "../../i18n/locale.ts";
import type { PageWords } from "../../islands/browser.ts";
import { href, safeJson, siteSettings } from "../../site/index.ts";

export const pageWords = perLocale((locale): PageWords => {
  const { reader, follow, vote } = locale;
  const { search, next, previous, random, shortcuts, shortcutsOn, close } = reader;
  const { unkeep, actions, copied, copyFailed, full, blocked, damaged } = reader;
  const { report, confirm } = vote.card;
  const { site, voteBaseUrl } = siteSettings();
  return {
    base: href("/"),
    offline: site.offline,
    ...(site.offline && { copyFrom: follow.copyFrom }),
    acts: {
      keep: reader.keep,
      text: reader.copyText,
      markdown: reader.copyMarkdown,
      html: reader.copyHtml,
      link: reader.copyLink,
      share: reader.share,
      ...(site.embeds > 0 && { embed: follow.embed }),
    },
    ...(voteBaseUrl !== null && { report, confirm }),
    ...{ search, next, previous, random, shortcuts, shortcutsOn, close },
    ...{ unkeep, actions, copied, copyFailed, full, blocked, damaged },
  };
});

export const voteWords = perLocale((locale) => locale.vote.states);

function perLocale(words: (locale: Locale) => unknown): (locale: Locale) => string {
  return memoise((locale: Locale) => safeJson(words(locale)));
}
