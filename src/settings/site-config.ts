/** The shape of `site/config.ts`, the fork's own settings: every key, what it means, and its default. */
import { z } from "zod";
import { distance } from "fastest-levenshtein";
import { ConfigurationError } from "../contract/errors.ts";
import { ALLOW_KINDS, type AllowKind } from "../contract/allow.ts";
import { HOST_NAMES, hostLimitsSchema } from "../contract/host.ts";
import { EXPECTED_CODE, isLanguageCode, isWrittenCode } from "../contract/languages.ts";
import { PICTURE_POLICIES } from "../contract/picture.ts";
import { MAX_PK } from "../contract/quote.ts";
import { MOVED_KEYS } from "./moved.ts";

const bytes = z.int().min(1);
/** The checks after it may parse the address: they do not run for one that does not parse. */
export const webAddress = z.url({
  protocol: /^https?$/,
  error: "expected an http or https address",
  abort: true,
});

const DEFAULT_MENU = ["today", "authors", "tags", "search", "favourites"] as const;
/** Pages of the project that the menu may link to. */
const MENU_PAGES = [...DEFAULT_MENU, "languages", "about", "random"] as const;

/** The link of the attribution: readers see it, so it must hold no credential. */
export const attributionAddress = webAddress.max(2_000).refine((address) => {
  const { username, password } = new URL(address);
  return username + password === "";
}, "expected an address without credentials");

/** The name in the attribution: one line, without characters that reorder the text around it. */
export const attributionName = z
  .string()
  .trim()
  .min(1, "expected a text that is not blank")
  .max(80)
  .regex(/^[^\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u, "expected one line of plain text");

/** Path of a picture below `site/public`. */
export const sitePicture = z
  .string()
  .regex(
    /^\/(?:(?!\.\.?\/)[\w.~-]+\/)*[\w~-][\w.~-]*$/,
    'expected a path below site/public, such as "/logo.svg"',
  );

/** Text that readers see. */
const words = z.string().trim().min(1, "expected a text that is not blank");

const menuEntry = z.union(
  [
    z.enum(MENU_PAGES),
    z.strictObject({
      /** An address of this site, such as `/shop/`, or of another. */
      href: z.string().regex(/^(?:\/|https?:\/\/)/, 'expected an address such as "/shop/"'),
      /** The name, or one for each language by its code. */
      label: z.union([words, z.record(z.string(), words)]),
    }),
  ],
  `expected one of ${MENU_PAGES.join(", ")}, or a link such as { href: "/shop/", label: "Shop" }`,
);

/** A scheme and a host: a wildcard or a whole scheme would let in everybody's files. */
const allowedOrigin = z
  .string()
  .regex(
    /^https:\/\/[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d{1,5})?\/?$/i,
    'expected an origin such as "https://stats.example": https and a host, without path and "*"',
  )
  .transform((address) => new URL(address).origin);
const allowedByKind = Object.fromEntries(
  ALLOW_KINDS.map((kind) => [kind, z.array(allowedOrigin).default([])]),
) as Record<AllowKind, z.ZodDefault<z.ZodArray<typeof allowedOrigin>>>;

/** What ends a script or a style sheet in markup, whatever it means there. */
const ENDS_CODE = /<\/?(?:script|style)|<!--/i;

const headTag = z
  .strictObject({
    tag: z.enum(["meta", "link", "script", "style"], "expected meta, link, script or style"),
    /** By name; true for an attribute without a value. */
    attrs: z
      .record(z.string(), z.union([z.string(), z.boolean()]))
      .default({})
      .superRefine((attrs, context) => {
        const wrong = Object.keys(attrs).find((name) => !/^(?!on)[a-z][\w:.-]*$/i.test(name));
        if (wrong === undefined) return;
        const message = "expected the name of an attribute, and no handler";
        context.addIssue({ code: "custom", path: [wrong], message });
      }),
    /** Code of a script or a style sheet. */
    content: z.string().default(""),
  })
  .refine(({ tag, content }) => content === "" || tag === "script" || tag === "style", {
    path: ["content"],
    error: "expected content in a script or a style alone",
  })
  .refine(({ content }) => !ENDS_CODE.test(content), {
    path: ["content"],
    error: "expected code without <script, <style and <!--",
  });

/** Where a quote's own page can share it, without a script. `{text}` and `{url}` are filled, encoded for an address. */
export const SHARE_SERVICES = {
  mail: { label: "", href: "mailto:?subject={text}&body={text}%0A{url}" },
  mastodon: {
    label: "Mastodon",
    href: "https://share.joinmastodon.org/#text={text}%0A{url}",
  },
  whatsapp: { label: "WhatsApp", href: "https://wa.me/?text={text}%0A{url}" },
  telegram: { label: "Telegram", href: "https://t.me/share/url?url={url}&text={text}" },
  x: { label: "X", href: "https://x.com/intent/post?text={text}&url={url}" },
} as const;

const SHARE_NAMES = Object.keys(SHARE_SERVICES) as (keyof typeof SHARE_SERVICES)[];

const shareEntry = z.union(
  [
    z.enum(SHARE_NAMES),
    z.strictObject({
      /** The name of the service. */
      label: words,
      /** An address with `{url}`, and `{text}` where the service takes one. */
      href: z.string().regex(/^(?:https:\/\/[^\s/]+|mailto:)\S*\{url\}\S*$/),
    }),
  ],
  `expected one of ${SHARE_NAMES.join(", ")}, or a service such as { label: "Mastodon", href: "https://mastodon.example/share?text={text}%20{url}" }`,
);

/** Pages of the project that search engines are asked to leave out. */
const UNLISTED = ["/404.html", "/favourites/", "/random/", "/offline/", "/today/next/"];

export const siteConfigSchema = z.strictObject({
  /** The name in the header, in titles, feeds and Open Graph images. */
  title: words.max(80).default("Commonplace"),
  /**
   * A picture in the header: `src` is a path below `site/public`, such as `/logo.svg`. It stands in the place of the name where
   * it has an `alt`, the words that it shows, else before the name.
   */
  logo: z
    .strictObject({
      src: sitePicture,
      alt: z.string().trim().max(80).default(""),
    })
    .optional(),
  /** One sentence for search engines and the head of the home page. Without it, pages in each language have one in it. */
  description: z.string().max(300).optional(),
  /** The same in other languages, for pages in these: `{ ar: "…" }`. The keys are the codes of the service. */
  descriptions: z
    .record(
      z.string().refine(isLanguageCode, 'expected a language code such as "ar"'),
      z.string().max(300),
    )
    .default({}),
  /** Scheme and host of the site, without a path; `SITE_URL` overrides it. */
  url: webAddress
    .refine((address) => {
      const { href, origin } = new URL(address);
      return href === `${origin}/`;
    }, 'expected scheme and host alone, such as "https://quotes.example"; give its folder as SITE_BASE or `base`')
    .transform((address) => new URL(address).origin)
    .default("http://localhost:4321"),
  /** The folder below that address, with slashes at both ends; `SITE_BASE` overrides it. */
  base: z
    .string()
    // A part "." or ".." would be resolved away.
    .regex(
      /^\/(?:(?!\.\.?\/)[\w.~-]+\/)*$/,
      'expected a path with slashes at both ends, such as "/quotes/"',
    )
    .default("/"),
  /**
   * A file of your own quotes in the place of a service, such as `site/quotes.csv`; `QUOTES_DATA` overrides it. See
   * docs/own-quotes.md.
   */
  data: z
    .string()
    .regex(/^[^-]/, 'expected the path of a file, such as "site/quotes.csv"')
    .optional(),
  /** The language of the quotes of that file that name none, such as `en`. */
  dataLanguage: z.string().refine(isWrittenCode, EXPECTED_CODE).optional(),
  /** The language of the pages that belong to no language: home, tags, authors, about. `SITE_LANGUAGE` overrides it. */
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/, EXPECTED_CODE)
    .default("en"),
  /** Quotes on a listing page. */
  perPage: z.int().min(1).max(500).default(50),
  /**
   * Quotes with a page of their own, `/quote/<pk>/`: all of them where there are no more than this, else the most liked.
   * The link of every other quote leads to its place in its author's listing.
   */
  quotePages: z.int().min(0).max(10_000_000).default(20_000),
  /** Quotes with a page to embed elsewhere, `/embed/<pk>/`: the most liked. 0 makes none, nor the one of today. */
  embeds: z.int().min(0).max(10_000).default(1_000),
  /** Quotes that a tag must have to get a listing; a tag with fewer is plain text on its cards. 1 leaves none out. */
  minTagQuotes: z.int().min(1).max(1_000_000).default(1),
  /**
   * The theme: `folio`, `press`, `night-reader`, a folder of `site/themes`, a path (`../my-theme`) or the name of
   * an npm package. `SITE_THEME` overrides it. See docs/themes.md.
   */
  theme: z.string().min(1).default("folio"),
  /** Quotes, authors and tags with an Open Graph image of their own; the others share the site's. */
  cards: z.int().min(0).max(1_000).default(500),
  /**
   * Whether browsers store visited pages, favourites and today's quotes for reading offline. With false, browsers delete
   * these on the next visit.
   */
  offline: z.boolean().default(true),
  /** What happens when a picture cannot be fetched: `fallback` draws a replacement, `skip` leaves the space out, `fail` ends the build. */
  pictures: z.enum(PICTURE_POLICIES).default("fallback"),
  /** Days after which pages say that the quotes may be out of date. */
  staleAfterDays: z.int().min(1).max(3_650).default(7),
  /**
   * The link in every footer. The service's terms ask for it on the free plan. Without these keys it leads to the service
   * that the quotes come from, and from the embedded collection to its sources on `/about/`.
   */
  attribution: z
    .strictObject({
      /** The name that the link shows; `ATTRIBUTION_NAME` overrides it. */
      name: attributionName.optional(),
      /** Where the link leads; `ATTRIBUTION_URL` overrides it. */
      url: attributionAddress.optional(),
    })
    .prefault({}),
  /**
   * Quotes the next build leaves out of every page, feed, Open Graph image and search, whatever the service says. Case,
   * accents and punctuation of names do not matter.
   */
  hidden: z
    .strictObject({
      /** By the `pk` of the quote. */
      pks: z.array(z.int().min(1).max(MAX_PK)).default([]),
      /** All quotes of these authors. */
      authors: z.array(z.string().min(1)).default([]),
      /** All quotes with these tags. */
      tags: z.array(z.string().min(1)).default([]),
    })
    .prefault({}),
  /**
   * Quotes of one author and language whose texts fold alike: with `fold`, the most liked is shown, and the others have only
   * their own pages; with `show`, all are. See docs/corrections.md.
   */
  copies: z.enum(["fold", "show"]).default("fold"),
  /**
   * How often the harvest reads the list of curated quotes: `always`, `weekly` or `never`. It takes about a sixth more
   * requests, which are sent last and only within `--max-requests`; with `weekly`, none in the first run. The list of the
   * embedded service is read unless this is `never`.
   */
  askCurated: z.enum(["always", "weekly", "never"]).default("weekly"),
  /**
   * The host of the site: `github-pages`, `cloudflare`, `netlify`, `vercel`, `gitlab`, `s3`, or `none` for a server of
   * your own. Its limits are checked, and its headers and redirects written. `SITE_HOST` overrides it. See docs/hosts.md.
   */
  host: z.enum(HOST_NAMES).default("none"),
  /** Your own limits in place of the host's, such as `{ files: 100_000 }` on a larger plan; null for no limit. */
  hostLimits: hostLimitsSchema.prefault({}),
  /**
   * Origins that pages may load from, by kind, such as `{ script: ["https://stats.example"] }`; `connect` is for requests of
   * scripts, and for forms. The policy of every page and the audit let in nothing else. See docs/recipes.md.
   */
  allow: z.strictObject(allowedByKind).prefault({}),
  /**
   * Tags at the end of the head of every page, such as
   * `{ tag: "script", attrs: { src: "https://stats.example/script.js", defer: true } }`.
   */
  head: z.array(headTag).default([]),
  /** Most bytes that the audit lets a page weigh. */
  budgets: z
    .strictObject({
      /** How many times the HTML of each kind of page in docs/config.md, such as 1.5. */
      html: z.number().min(0.1).max(100).default(1),
      /** Style sheets of a page, compressed. */
      css: bytes.default(8_000),
      /** Scripts of a page, compressed. */
      js: bytes.default(21_000),
      /** Typefaces that a page preloads, and those that its style sheets declare. */
      fonts: bytes.default(360_000),
    })
    .prefault({}),
  /**
   * The menu: pages of the project by their names, also `favourites` and `random`, and links of your own, such as
   * `{ href: "/shop/", label: "Shop" }`. Pages of `site/pages` whose frontmatter has `menu` come after these.
   */
  menu: z.array(menuEntry).default([...DEFAULT_MENU]),
  /**
   * Links on a quote's own page that share it, without a script: `mail`, `mastodon`, `whatsapp`, `telegram`, `x`, and
   * services of your own, such as `{ label: "Mastodon", href: "https://mastodon.example/share?text={text}%20{url}" }`. `[]`
   * leaves them out.
   */
  share: z.array(shareEntry).default([...SHARE_NAMES]),
  /** More pages that search engines are asked to leave out, by address, such as `/draft/`: not in the sitemap. */
  unlisted: z
    .array(
      z
        .string()
        .regex(/^\//, 'expected an address such as "/draft/"')
        // The address of a page ends with a slash.
        .transform((path) => (/(?:\/|\.\w+)$/.test(path) ? path : `${path}/`)),
    )
    .default([])
    .transform((more) => [...new Set([...UNLISTED, ...more])]),
});

/** Without it a promise would be an object without settings. */
const settingsSchema = z
  .record(z.string(), z.unknown(), "expected an object of settings, such as defineSite({ … })")
  .pipe(siteConfigSchema);

/** Checked, with all defaults filled in. */
export type SiteConfig = z.output<typeof siteConfigSchema>;

/** What `site/config.ts` may say: every key may be left out. */
export type SiteConfigFile = z.input<typeof siteConfigSchema>;

/** Gives an editor the type of the fork's settings; a misspelt key is an error before anything runs. */
export function defineSite(config: SiteConfigFile): SiteConfigFile {
  return config;
}

/** A file that is named in messages. */
export interface SourceFile {
  /** Such as `site/config.ts`. */
  readonly name: string;
  readonly text: string;
}

/** @throws {ConfigurationError} with the file and the line, when the text is not JSON */
export function parseJsonFile({ name, text }: SourceFile): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const line = /\(line (\d+)/.exec(error.message)?.[1];
    const at = line === undefined ? name : `${name}:${line}`;
    throw new ConfigurationError(`Cannot read ${at}: ${error.message}`, { cause: error });
  }
}

/**
 * Checks the fork's settings and fills in the defaults.
 *
 * @param source the file; without it messages name no line
 * @throws {ConfigurationError} naming the key, the file and line, and the nearest known key
 */
export function readSiteConfig(
  config: unknown,
  { name, text }: SourceFile = { name: "site/config.ts", text: "" },
): SiteConfig {
  const read = settingsSchema.safeParse(withNewKeys(config), {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return undefined;
      const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [];
      return `there is no such key${suggestion(issue.keys[0] ?? "", known)}`;
    },
  });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const path = [...(issue?.path ?? []).map(String), ...unknown];
  const field = path.length === 0 ? "the default export" : path.join(".");
  throw new ConfigurationError(
    `Cannot use ${field} of ${name}${lineOf(text, path)}: ${issue?.message ?? "not understood"}`,
  );
}

/** Settings with the new names of keys that a version renamed, and without those that are gone. */
function withNewKeys(config: unknown): unknown {
  if (typeof config !== "object" || config === null) return config;
  const moved = Object.keys(config).some((key) => Object.hasOwn(MOVED_KEYS, key));
  if (!moved) return config;
  const renamed = Object.entries(config).flatMap(([key, value]) => {
    const row = Object.hasOwn(MOVED_KEYS, key) ? MOVED_KEYS[key] : { to: key };
    return row?.to === null ? [] : [[row?.to ?? key, value as unknown] as const];
  });
  return Object.fromEntries(renamed);
}

/**
 * The line of a key, as messages add it to the name of a file. The text is searched, not parsed.
 *
 * @param path keys from the outside in
 * @returns such as ":3"; empty where no key is found
 */
export function lineOf(text: string, path: readonly string[]): string {
  let at = -1;
  for (const key of path) {
    const found = new RegExp(`["']?\\b${RegExp.escape(key)}\\b["']?\\s*:`).exec(text.slice(at + 1));
    if (found === null) break;
    at += 1 + found.index;
  }
  return at < 0 ? "" : `:${text.slice(0, at).split("\n").length}`;
}

/** @returns `; did you mean "title"?`, empty where no known word is similar */
export function suggestion(word: string, known: readonly string[]): string {
  const steps = (other: string): number => distance(word.toLowerCase(), other.toLowerCase());
  const [nearest] = known
    .filter((other) => steps(other) <= Math.max(2, other.length / 3))
    .sort((a, b) => steps(a) - steps(b));
  return nearest === undefined ? "" : `; did you mean ${JSON.stringify(nearest)}?`;
}
