/** The shape of `src/site.config.ts`, checked like every other setting. */
import { z } from "zod";

export const siteConfigSchema = z.strictObject({
  title: z.string().min(1).max(80),
  description: z.string().max(300),
  url: z.url({ protocol: /^https?$/ }),
  base: z.string().regex(/^\/(?:[\w.~-]+\/)*$/),
  language: z.string().regex(/^[a-z]{2,3}$/),
  perPage: z.int().min(1).max(500),
  quotePages: z.int().min(0).max(10_000_000),
  theme: z.string().min(1),
  staleAfterDays: z.int().min(1).max(3_650),
  attribution: z.strictObject({
    name: z.string().min(1),
    url: z.url({ protocol: /^https?$/ }),
  }),
});

export type SiteConfig = z.infer<typeof siteConfigSchema>;
