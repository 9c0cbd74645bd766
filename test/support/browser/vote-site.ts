/**
 * A small site of cards that can be voted on, built by Astro from the real components, with the real policy. It needs no
 * snapshot, so that voting is tried apart from the pages around it.
 */
import { execFile } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { serveFolder } from "./browser.ts";
import { madeOnce, NOWHERE } from "../built/index.ts";
import { tempFolder } from "../run/index.ts";

const ROOT = join(import.meta.dirname, "../../..");

export interface VoteSite {
  readonly url: string;
  /** The folder that is served. */
  readonly folder: string;
}

/** Pages `/<language>/` with 6 cards each, and `/many/` with 1,000. */
function page(cards: number, language: string): string {
  return `---
import PageScript from "${ROOT}/src/components/reader/PageScript.astro";
import Notes from "${ROOT}/src/components/quote/Notes.astro";
import VoteForms from "${ROOT}/src/components/vote/VoteForms.astro";
import { localeOf } from "${ROOT}/src/i18n/locale.ts";
import "${ROOT}/src/styles/tokens.css";
import "${ROOT}/src/styles/base.css";
import "${ROOT}/src/styles/quote.css";
import "${ROOT}/src/styles/vote.css";
const locale = localeOf("${language}", "en");
const { tag, dir } = locale.language;
const pks = Array.from({ length: ${cards} }, (_, index) => index + 1);
---
<!doctype html>
<html lang={tag} {dir}>
  <head>
    <meta charset="utf-8" /><meta name="viewport" content="width=device-width" /><title>Votes</title>
    <link rel="icon" href="data:," />
  </head>
  <body>
    <main>
      <h1>Votes</h1>
      {pks.map((pk) => (
        <article class="quote" id={\`q\${pk}\`} data-pk={pk} lang={tag} {dir}>
          <blockquote>Words of quote {pk}.</blockquote>
          <Notes {locale} card={{
            quote: { id: pk }, permalink: \`/quote/\${pk}/\`, likes: pk * 10,
            language: locale.language, tags: [], plainTags: [],
          }} />
        </article>
      ))}
      <p><a href="/elsewhere/">Elsewhere</a></p>
    </main>
    <VoteForms {locale} hasQuotes />
    <PageScript {locale} />
  </body>
</html>
`;
}

/** Has the pages of a built site vote on another service. */
export function voteOn(url: string, folder: string): void {
  for (const page of globSync("**/*.html", { cwd: folder })) {
    const html = readFileSync(join(folder, page), "utf8");
    writeFileSync(join(folder, page), html.replaceAll(NOWHERE, url));
  }
}

/** Serves a copy of the site, which is built once in a run of the tests. */
export async function startVoteSite(voteBaseUrl: string): Promise<VoteSite> {
  const made = await madeOnce("votes", buildInto);
  const folder = tempFolder("vote");
  cpSync(join(made, "dist"), folder, { recursive: true });
  voteOn(voteBaseUrl, folder);
  const served = await serveFolder(folder);
  return { url: served.url, folder };
}

async function buildInto(root: string): Promise<void> {
  const pages = join(root, "src/pages");
  mkdirSync(pages, { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  for (const [name, cards, language] of [
    ["en", 6, "en"],
    ["ar", 6, "ar"],
    ["many", 1_000, "en"],
  ] as const) {
    mkdirSync(join(pages, name), { recursive: true });
    writeFileSync(join(pages, name, "index.astro"), page(cards, language));
  }
  for (const name of ["index", "404", "elsewhere"]) {
    writeFileSync(join(pages, `${name}.astro`), `<title>${name}</title><p>Nothing to vote on.</p>`);
  }
  const config = join(root, "astro.config.mjs");
  writeFileSync(
    config,
    `export default {
      srcDir: ${JSON.stringify(join(root, "src"))}, outDir: ${JSON.stringify(join(root, "dist"))},
      cacheDir: ${JSON.stringify(join(root, "cache"))}, publicDir: ${JSON.stringify(join(root, "public"))},
      trailingSlash: "always", build: { inlineStylesheets: "never" },
      vite: { build: { assetsInlineLimit: 0 } },
      security: { csp: { directives: ["default-src 'none'", "img-src 'self' data:",
        "connect-src 'self' ${NOWHERE}", "form-action 'self' ${NOWHERE}"] } },
    };`,
  );
  const astro = [join(ROOT, "node_modules/astro/bin/astro.mjs"), "build", "--silent"];
  const args = [...astro, "--root", ROOT, "--config", relative(ROOT, config)];
  const env = { ...process.env, VOTE_BASE_URL: NOWHERE, ASTRO_TELEMETRY_DISABLED: "1" };
  // Astro keeps its bundle below the working directory.
  await promisify(execFile)(process.execPath, args, { cwd: root, env });
}
