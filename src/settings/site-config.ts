/** The shape of `src/site.config.ts`, checked like every other setting. */
import { z } from "zod";
import { HOST_NAMES } from "../contract/host.ts";
import { MAX_PK } from "../contract/quote.ts";

export const MOST_PER_PAGE = 500;
export const MOST_QUOTE_PAGES = 10_000_000;
export const MOST_CARDS = 1_000;
export const MOST_MIN_TAG_QUOTES = 1_000_000;

const limit = z.int().min(0).nullable().optional();

/** In the place of what a host's preset says; null for no limit. */
const hostLimitsSchema = z.strictObject({
  files: limit,
  entries: limit,
  bytes: limit,
  fileBytes: limit,
  folderFiles: limit,
  redirects: limit,
  redirectBytes: limit,
  redirectLine: limit,
  headerRules: limit,
  headerLine: limit,
});

/** Quotes that no page shows, whatever the service says of them. */
const hiddenSchema = z.strictObject({
  pks: z.array(z.int().min(1).max(MAX_PK)).default([]),
  /** Compared without case, accents and punctuation, as are tags. */
  authors: z.array(z.string().min(1)).default([]),
  tags: z.array(z.string().min(1)).default([]),
});

const bytes = z.int().min(1);

/** Most bytes of a page: HTML without the words of its quotes, sheets and scripts as a host compresses them. */
const budgetsSchema = z.strictObject({
  /** By kind of page, where it is not the default for its kind. */
  html: z.record(z.string(), bytes).default({}),
  css: bytes.default(8_000),
  js: bytes.default(16_000),
});

export const siteConfigSchema = z.strictObject({
  title: z.string().min(1).max(80),
  description: z.string().max(300),
  url: z.url({ protocol: /^https?$/ }),
  base: z.string().regex(/^\/(?:[\w.~-]+\/)*$/),
  language: z.string().regex(/^[a-z]{2,3}$/),
  perPage: z.int().min(1).max(MOST_PER_PAGE),
  quotePages: z.int().min(0).max(MOST_QUOTE_PAGES),
  minTagQuotes: z.int().min(1).max(MOST_MIN_TAG_QUOTES).default(1),
  theme: z.string().min(1),
  cards: z.int().min(0).max(MOST_CARDS),
  pictures: z.enum(["fallback", "skip", "fail"]),
  staleAfterDays: z.int().min(1).max(3_650),
  attribution: z.strictObject({
    name: z.string().min(1),
    url: z.url({ protocol: /^https?$/ }),
  }),
  hidden: hiddenSchema.prefault({}),
  askCurated: z.enum(["always", "weekly", "never"]).default("weekly"),
  host: z.enum(HOST_NAMES).default("none"),
  hostLimits: hostLimitsSchema.prefault({}),
  fit: z.boolean().default(false),
  budgets: budgetsSchema.prefault({}),
  /** Addresses without the base path. */
  unlisted: z.array(z.string().regex(/^\//)).default(["/404.html", "/favourites/", "/random/"]),
});

/** Checked, with nothing left out. */
export type SiteConfig = z.output<typeof siteConfigSchema>;

/** As the file may write it. */
export type SiteConfigFile = z.input<typeof siteConfigSchema>;
