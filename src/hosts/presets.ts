/**
 * The supported hosts: their limits, and their forms of headers and redirects.
 *
 * The figures are those of each host's free plan, from its public documentation (November 2026); null means that it gives
 * none. `hostLimits` in `site/config.ts` replaces any of them.
 */
import type { HostLimits, HostName } from "../contract/host.ts";

export interface HostPreset {
  /** As people call it. */
  readonly title: string;
  readonly limits: HostLimits;
  /** Null: the host sends its own headers and no others. `nginx` is a snippet beside the state, for a server of one's own. */
  readonly headers: "_headers" | "vercel.json" | "nginx" | null;
  /** `pages`: the host knows no redirects, so small pages of our own lead on. */
  readonly redirects: "_redirects" | "vercel.json" | "pages";
}

const UNKNOWN: HostLimits = {
  files: null,
  entries: null,
  bytes: null,
  fileBytes: null,
  folderFiles: null,
  redirects: null,
  redirectBytes: null,
  redirectLine: null,
  headerRules: null,
  headerLine: null,
};

const GB = 1_000_000_000;
const MB = 1_000_000;
const MIB = 1_048_576;
const TIB = 1_048_576 * MIB;

export const HOSTS: Readonly<Record<HostName, HostPreset>> = {
  none: { title: "your own server", limits: UNKNOWN, headers: "nginx", redirects: "pages" },
  /** @see https://docs.github.com/en/pages/getting-started-with-github-pages/github-pages-limits */
  "github-pages": {
    title: "GitHub Pages",
    limits: { ...UNKNOWN, bytes: GB },
    headers: null,
    redirects: "pages",
  },
  /**
   * 100,000 files on a paid plan.
   *
   * @see https://developers.cloudflare.com/pages/platform/limits/
   * @see https://developers.cloudflare.com/pages/configuration/redirects/ (1,000 characters a redirect)
   * @see https://wppoland.com/en/cloudflare-redirects-100kb-cap-silent-tail-truncation/ (100 kB, the rest unread)
   */
  cloudflare: {
    title: "Cloudflare Pages",
    limits: {
      ...UNKNOWN,
      files: 20_000,
      fileBytes: 25 * MIB,
      redirects: 2_000,
      redirectBytes: 100_000,
      redirectLine: 1_000,
      headerRules: 100,
      headerLine: 2_000,
    },
    headers: "_headers",
    redirects: "_redirects",
  },
  /**
   * No number of files for a site, but one for a folder; from 10,000 redirects on a deploy may fail.
   *
   * @see https://docs.netlify.com/site-deploys/overview ("Files per directory limit")
   * @see https://docs.netlify.com/routing/redirects
   */
  netlify: {
    title: "Netlify",
    limits: { ...UNKNOWN, folderFiles: 54_000, redirects: 10_000 },
    headers: "_headers",
    redirects: "_redirects",
  },
  /**
   * Of a folder that is deployed as it is; `--archive=tgz` lifts the number of files.
   *
   * @see https://vercel.com/docs/limits
   * @see https://vercel.com/docs/projects/project-configuration (1,024 rules of a kind)
   */
  vercel: {
    title: "Vercel",
    limits: { ...UNKNOWN, files: 15_000, bytes: 100 * MB, redirects: 1_024, headerRules: 1_024 },
    headers: "vercel.json",
    redirects: "vercel.json",
  },
  /**
   * GitLab.com; folders and links count as files do.
   *
   * @see https://docs.gitlab.com/user/gitlab_com/#gitlab-pages
   * @see https://docs.gitlab.com/user/project/pages/redirects/ (1,000 rules, 64 KB)
   */
  gitlab: {
    title: "GitLab Pages",
    limits: { ...UNKNOWN, entries: 200_000, bytes: GB, redirects: 1_000, redirectBytes: 64_000 },
    headers: null,
    redirects: "_redirects",
  },
  /** @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html */
  s3: {
    title: "Amazon S3",
    limits: { ...UNKNOWN, fileBytes: 48 * TIB },
    headers: null,
    redirects: "pages",
  },
};

type OwnLimits = { readonly [Limit in keyof HostLimits]?: HostLimits[Limit] | undefined };

/** A preset with the limits that the site's own settings replace. */
export function hostOf(name: HostName, own: OwnLimits): HostPreset {
  const preset = HOSTS[name];
  const given = Object.entries(own).filter(([, limit]) => limit !== undefined);
  return { ...preset, limits: { ...preset.limits, ...Object.fromEntries(given) } };
}
