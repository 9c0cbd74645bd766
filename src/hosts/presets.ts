/**
 * The supported hosts: their limits, and their formats of headers and redirects.
 *
 * The limits are those of each host's free plan, from its public documentation (November 2026). `hostLimits` in
 * `site/config.ts` replaces them.
 */
import { NO_LIMITS, type HostLimits, type HostName } from "../contract/host.ts";

export interface HostPreset {
  readonly title: string;
  readonly limits: HostLimits;
  /** Null: the host allows no headers of the site. `nginx` is a file in the state folder, for your own server. */
  readonly headers: "_headers" | "vercel.json" | "nginx" | null;
  /** `decoded`: `_redirects` whose rules the host compares with the decoded path. `pages`: HTML pages that redirect. */
  readonly redirects: "_redirects" | "decoded" | "vercel.json" | "pages";
}

/** Files that only the host reads. */
export const HOST_FILES: ReadonlySet<string> = new Set(["_headers", "_redirects", "vercel.json"]);

const GB = 1_000_000_000;
const MIB = 1_048_576;

/** By host: title, headers, redirects, and the limits that the host publishes. */
const HOSTS = {
  none: ["your own server", "nginx", "pages", {}],
  /** @see https://docs.github.com/en/pages/getting-started-with-github-pages/github-pages-limits */
  "github-pages": ["GitHub Pages", null, "pages", { bytes: GB }],
  /**
   * @see https://developers.cloudflare.com/pages/platform/limits/
   * @see https://wppoland.com/en/cloudflare-redirects-100kb-cap-silent-tail-truncation/ (100 kB, the rest unread)
   */
  cloudflare: [
    "Cloudflare Pages",
    "_headers",
    "_redirects",
    {
      files: 20_000,
      fileBytes: 25 * MIB,
      redirects: 2_000,
      redirectBytes: 100_000,
      headerRules: 100,
    },
  ],
  /**
   * More than 10,000 redirects may make a deploy fail.
   *
   * @see https://docs.netlify.com/site-deploys/overview ("Files per directory limit")
   * @see https://docs.netlify.com/routing/redirects
   */
  netlify: ["Netlify", "_headers", "_redirects", { folderFiles: 54_000, redirects: 10_000 }],
  /**
   * `vercel deploy --archive=tgz` lifts the limit of files.
   *
   * @see https://vercel.com/docs/limits
   * @see https://vercel.com/docs/projects/project-configuration (1,024 rules of a kind)
   */
  vercel: [
    "Vercel",
    "vercel.json",
    "vercel.json",
    { files: 15_000, bytes: GB / 10, redirects: 1_024, headerRules: 1_024 },
  ],
  /**
   * GitLab.com; folders and links count as files do.
   *
   * @see https://docs.gitlab.com/user/gitlab_com/#gitlab-pages
   * @see https://docs.gitlab.com/user/project/pages/redirects/ (1,000 rules, 64 KB)
   * @see https://gitlab.com/gitlab-org/gitlab-pages/-/blob/master/internal/redirects/matching.go (compares a rule with the decoded path)
   */
  gitlab: [
    "GitLab Pages",
    null,
    "decoded",
    { entries: 200_000, bytes: GB, redirects: 1_000, redirectBytes: 64_000 },
  ],
  /** @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html (48 TiB) */
  s3: ["Amazon S3", null, "pages", { fileBytes: 48 * 1_048_576 * MIB }],
} as const satisfies Record<
  HostName,
  readonly [string, HostPreset["headers"], HostPreset["redirects"], Partial<HostLimits>]
>;

/** @param own limits of the site's settings, which replace those of the preset */
export function hostOf(
  name: HostName,
  own: Partial<Record<keyof HostLimits, number | null | undefined>> = {},
): HostPreset {
  const [title, headers, redirects, limits] = HOSTS[name];
  const given = Object.entries(own).filter(([, limit]) => limit !== undefined);
  const merged = { ...NO_LIMITS, ...limits, ...Object.fromEntries(given) };
  return { title, headers, redirects, limits: merged };
}

/** Ends of the addresses that hosts give to sites. */
const ADDRESSES: Readonly<Partial<Record<HostName, string>>> = {
  "github-pages": "github.io",
  cloudflare: "pages.dev",
  netlify: "netlify.app",
  vercel: "vercel.app",
  gitlab: "gitlab.io",
};

/** The host that gave an address; undefined for a domain of one's own. */
export function hostAt(hostname: string): HostName | undefined {
  const [name] = Object.entries(ADDRESSES).find(([, end]) => hostname.endsWith(`.${end}`)) ?? [];
  return name as HostName | undefined;
}
