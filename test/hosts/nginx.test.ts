/** The snippet for nginx, read by the real nginx. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { headerRules, nginxSnippet } from "../../src/hosts/headers.ts";
import { freePort } from "../support/http/index.ts";
import { tempFolder } from "../support/run/index.ts";
import { siteOf } from "./support.ts";

const NGINX = "/usr/sbin/nginx";
const HAS_NGINX = spawnSync(NGINX, ["-v"]).status === 0;
const why = HAS_NGINX ? "" : " (skipped: no nginx here; Debian has it as nginx-light)";

const page = "<!DOCTYPE html>";

/** @returns the origin that nginx serves a site at */
async function served(outDir: string, root: string, base: string): Promise<string> {
  const folder = tempFolder("nginx");
  const port = await freePort();
  mkdirSync(join(folder, "temp"));
  writeFileSync(join(folder, "headers.conf"), nginxSnippet(headerRules(outDir, base, null)));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${join(folder, "temp")};`,
  );
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; master_process off; pid ${join(folder, "pid")}; error_log stderr warn;
events {}
http {
  access_log off; ${temporary.join(" ")}
  server {
    listen 127.0.0.1:${port};
    root ${root};
    index index.html;
    error_page 404 ${base}404.html;
    include ${join(folder, "headers.conf")};
  }
}`,
  );
  const nginx = spawn(NGINX, ["-c", join(folder, "nginx.conf"), "-p", folder]);
  let said = "";
  nginx.stderr.on("data", (piece: Buffer) => (said += piece.toString()));
  onTestFinished(async () => {
    nginx.kill("SIGTERM");
    if (nginx.exitCode === null) await once(nginx, "exit");
  });
  const origin = `http://127.0.0.1:${port}`;
  for (;;) {
    if (nginx.exitCode !== null) throw new Error(said);
    if (
      await fetch(origin).then(
        () => true,
        () => false,
      )
    )
      return origin;
    await setTimeout(50);
  }
}

const FILES = {
  "index.html": page,
  "404.html": page,
  "tag/love/index.html": page,
  "embed/1/index.html": page,
  "feed.xml": "<rss/>",
  "sitemap-index.xml": "<sitemapindex/>",
  "build.json": "{}",
  "pagefind/en/pagefind.js": "1",
  "_astro/a.css": "a{}",
};

const ASK_FIRST = "public, max-age=0, must-revalidate";

test.skipIf(!HAS_NGINX).each(["/", "/quotes/"])(
  `nginx sends the policy and the cache rule of every part, below %s${why}`,
  async (base) => {
    const outDir = siteOf(
      Object.fromEntries(Object.entries(FILES).map(([name, text]) => [base.slice(1) + name, text])),
    );
    const origin = await served(join(outDir, base), outDir, base);
    const headersOf = async (path: string) => {
      const { status, headers } = await fetch(origin + base + path);
      return {
        status,
        cache: headers.get("cache-control"),
        policy: headers.get("content-security-policy"),
        frame: headers.get("x-frame-options"),
      };
    };
    const page = {
      status: 200,
      cache: ASK_FIRST,
      frame: "DENY",
      policy: "frame-ancestors 'none'",
    };
    const parts = ["", "tag/love/", "feed.xml", "sitemap-index.xml", "build.json"];
    for (const path of [...parts, "pagefind/en/pagefind.js"])
      expect(await headersOf(path), path).toEqual(page);
    expect(await headersOf("embed/1/")).toEqual({
      ...page,
      frame: null,
      policy: "frame-ancestors *",
    });
    expect((await headersOf("_astro/a.css")).cache).toBe("public, max-age=31536000, immutable");
    expect(await headersOf("nowhere/")).toEqual({ ...page, status: 404 });
  },
);
