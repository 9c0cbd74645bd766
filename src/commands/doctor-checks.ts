/** The checks of `doctor`, in the order in which a run needs them. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { askOnce, RUNTIME } from "../client/index.ts";
import { Refusal } from "../contract/errors.ts";
import { PACKAGE_ROOT, PROJECT_ROOT } from "../files/roots.ts";
import { hostAt } from "../hosts/presets.ts";
import { isLoopback, type Settings } from "../settings/settings.ts";
import { openPublished } from "../snapshot/index.ts";
import { siteFolder } from "../themes/site-folder.ts";
import { counted } from "../util/text.ts";
import { VERSION } from "../util/version.ts";
import { withService } from "./embedded.ts";

export interface Finding {
  readonly state: "good" | "note" | "bad";
  /** What was found; for a note or a failure also what to do. */
  readonly text: string;
  /** Of a failure. */
  readonly cause?: "setting" | "service" | "disk";
}

interface Context {
  readonly settings: Settings;
  readonly signal: AbortSignal;
}

export type Check = (context: Context) => Finding | Promise<Finding>;

const good = (text: string): Finding => ({ state: "good", text });
const note = (text: string): Finding => ({ state: "note", text });
const bad = (cause: NonNullable<Finding["cause"]>, text: string): Finding => ({
  state: "bad",
  cause,
  text,
});

const DAY_MS = 86_400_000;

/** When this program was written: no right clock is before it. */
const WRITTEN = Date.UTC(2026, 10, 1);

const WORKFLOW = ".github/workflows/nightly.yml";

export const CHECKS = {
  Node: () => good(`${process.versions.node}, Commonplace ${VERSION}`),

  // A file with a mistake ends every command before this, with its file and line.
  settings: () => {
    const folder = siteFolder();
    return folder === null
      ? note("there is no folder `site`: every setting has its default; docs/config.md has them")
      : good(`${folder} was read`);
  },

  service: async ({ settings, signal }) => {
    const { baseUrl, token, tokenScheme } = settings.service;
    if (baseUrl === null) return await ownSource(settings);
    const answer = await askOnce(
      {
        ...{ baseUrl, token, tokenScheme, concurrency: 1, runtime: RUNTIME },
        ...{ proxies: settings.proxies, timeouts: settings.walk.timeouts },
      },
      signal,
    );
    if (answer.ok) return good(`${baseUrl} answers with ${counted(answer.quotes, "quote")}`);
    const { what, advice, isSetting } = answer;
    const next = advice ?? (isSetting ? "correct QUOTES_BASE_URL" : "try again later");
    return bad(isSetting ? "setting" : "service", `${baseUrl}: ${what}; ${next}`);
  },

  credential: ({ settings: { service, votesNeedRelay } }) => {
    const { token, baseUrl } = service;
    if (token === null) return good("none is set");
    if (baseUrl === null) return note("QUOTES_TOKEN has no effect without QUOTES_BASE_URL");
    return votesNeedRelay
      ? note("is set, so voting is off: run the relay and set VOTE_BASE_URL (docs/votes.md)")
      : good("is set");
  },

  proxy: ({ settings: { proxies } }) => {
    const hosts = [proxies.http, proxies.https].flatMap((address) =>
      address === null ? [] : [new URL(address).host],
    );
    return good(hosts.length === 0 ? "none is set" : `requests go through ${hosts.join(" and ")}`);
  },

  state: ({ settings }) => writable("--state", settings.stateDir),
  output: ({ settings }) => writable("--out", settings.outDir),

  images: async () => {
    // It leaves no file: the next build installs the fonts in its state.
    const folder = mkdtempSync(join(tmpdir(), "commonplace-doctor-"));
    try {
      const { installFonts } = await import("../images/og/install-fonts.ts");
      const { default: sharp } = await import("sharp");
      await installFonts(folder);
      return good(`sharp ${sharp.versions.sharp}, and the fonts of Open Graph images`);
    } catch (error) {
      const why = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
      return bad("setting", `${why}; run npm ci, and see docs/platforms.md`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },

  clock: ({ settings: { stateDir, now } }) => {
    const today = new Date(now()).toISOString().slice(0, 10);
    if (now() < WRITTEN) {
      return bad("setting", `it says ${today}, before this program was written; set it`);
    }
    using snapshot = openPublished(stateDir);
    const finished = snapshot?.fact("harvest")?.finished;
    if (finished !== undefined && Date.parse(finished) > now() + DAY_MS) {
      return note(`it says ${today}, and the published quotes were read on ${finished}; set it`);
    }
    return good(`${today} in UTC`);
  },

  host: ({ settings: { site } }) => {
    const { host, url } = site;
    const { hostname } = new URL(url);
    const meant = hostAt(hostname);
    if (isLoopback(url)) {
      const what = "feeds and the sitemap name this machine; set SITE_URL before you publish";
      return host === "none" ? note(what) : bad("setting", `${host}: ${what}`);
    }
    if (meant === undefined || meant === host) return good(`${url} on ${host}`);
    if (host !== "none") return bad("setting", `${url} is of ${meant}, and host is ${host}`);
    return note(`${url} is of ${meant}: set \`host: "${meant}"\` for its limits and headers`);
  },

  workflow: () => {
    const [own, ours] = [PROJECT_ROOT, PACKAGE_ROOT].map((root) => join(root, WORKFLOW));
    if (own === undefined || ours === undefined || !existsSync(own)) {
      return note(`there is no ${WORKFLOW}: docs/first-deploy.md says how to run every night`);
    }
    if (own === ours || !existsSync(ours)) return good(WORKFLOW);
    return readFileSync(own, "utf8") === readFileSync(ours, "utf8")
      ? good(`${WORKFLOW} is that of Commonplace ${VERSION}`)
      : note(`${WORKFLOW} is not that of Commonplace ${VERSION}: compare it with ${ours}`);
  },
} as const satisfies Readonly<Record<string, Check>>;

async function ownSource(settings: Settings): Promise<Finding> {
  const { data } = settings.service;
  if (data === null) {
    return note(
      "none is named, so the embedded examples are used; set QUOTES_BASE_URL or QUOTES_DATA",
    );
  }
  try {
    return await withService(settings, ({ fileRemarks = [] }) =>
      Promise.resolve(
        fileRemarks.length === 0 ? good(`${data} was read`) : note(fileRemarks.join("; ")),
      ),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return bad("setting", error.message);
  }
}

/** Whether files can be written to a folder, or to the nearest one above that exists. */
function writable(option: string, folder: string): Finding {
  let there = folder;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  try {
    // Rights alone do not show a read-only disk.
    rmSync(mkdtempSync(join(there, ".doctor-")), { recursive: true });
    return good(`${folder} can be written`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const why = `${there} cannot be written (${String(error.code)})`;
    return bad("disk", `${why}: change its owner, or name another folder with ${option}`);
  }
}
