/** Header rules of a finished site, and the form of each host; that of nginx is read by the real nginx. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import {
  headerRules,
  headersFile,
  nginxSnippet,
  vercelHeaders,
  vercelPattern,
} from "../../src/hosts/headers.ts";
import { freePort } from "../support/http/index.ts";
import { emptyFiles, folderWith, tempFolder } from "../support/run/index.ts";

const ASK_FIRST = "public, max-age=0, must-revalidate";
const UNFRAMED = {
  "Cache-Control": ASK_FIRST,
  "Content-Security-Policy": "frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
};

test("headerRules() has one rule for each part: its cache, and who may frame it", () => {
  const files = ["index.html", "tag/love/2/index.html", "embed/1/index.html", "_astro/a.1.js"];
  const more = ["_cards/a.png", "pagefind/pagefind.js", "feed.xml", "build.json.unfinished"];
  // `_headers` is of the host alone.
  const outDir = folderWith(emptyFiles(...files, ...more, "_headers"));
  const [everything, ...parts] = headerRules(outDir, "/q/", null);
  expect(everything).toMatchObject({ path: "/q/", below: true });
  const forEver = { "Cache-Control": "public, max-age=31536000, immutable" };
  const headersOf = parts.map((rule) => [rule.path + (rule.below ? "*" : ""), rule.headers]);
  expect(Object.fromEntries(headersOf)).toEqual({
    "/q/": UNFRAMED,
    "/q/tag/*": UNFRAMED,
    "/q/embed/*": {
      "Cache-Control": ASK_FIRST,
      "Content-Security-Policy": "frame-ancestors *",
    },
    "/q/_astro/*": forEver,
    "/q/_cards/*": forEver,
    "/q/pagefind/*": UNFRAMED,
    "/q/feed.xml": UNFRAMED,
    "/q/build.json": UNFRAMED,
  });
});

test("headerRules() keeps within the host's rules, folders before files", () => {
  const outDir = folderWith(emptyFiles("a.txt", "tag/a/index.html", "z/index.html"));
  expect(headerRules(outDir, "/", 3).map(({ path }) => path)).toEqual(["/", "/tag/", "/z/"]);
});

test("no part names a header of the rule for everything: hosts that join and hosts that replace agree", () => {
  const outDir = folderWith(emptyFiles("a/index.html", "embed/1/index.html", "index.html"));
  const [everything, ...parts] = headerRules(outDir, "/", null);
  const names = Object.keys(everything?.headers ?? {});
  expect(names).toContain("X-Content-Type-Options");
  const again = parts.flatMap(({ headers }) => Object.keys(headers));
  expect(again.filter((name) => names.includes(name))).toEqual([]);
});

test("headersFile(), vercelHeaders() and nginxSnippet() hold the same rules", () => {
  const rules = [
    { path: "/", below: true, headers: { "X-A": "1" } },
    { path: "/a.b/", below: true, headers: { "X-B": "'x' \"y\" $z" } },
    { path: "/c", below: false, headers: { "X-C": "3" } },
  ];
  expect(headersFile(rules)).toBe(`/*\n  X-A: 1\n\n/a.b/*\n  X-B: 'x' "y" $z\n\n/c\n  X-C: 3\n`);
  expect(vercelHeaders(rules).map(({ source }) => source)).toEqual(["/(.*)", "/a\\.b/(.*)", "/c"]);
  const nginx = nginxSnippet(rules);
  expect(nginx).toContain('location ^~ "/a.b/" {\n  add_header X-A "1" always;\n');
  expect(nginx).toContain(`add_header X-B "'x' \\"y\\" z" always;`);
  expect(nginx).toContain('location = "/c" {');
});

test("vercelPattern() escapes a character that means more", () => {
  const path = "/a.b/(c)*:d+?/[e]{f}|^$!/";
  expect(new RegExp(`^${vercelPattern(path)}$`).test(path)).toBe(true);
});

const NGINX = "/usr/sbin/nginx";
const HAS_NGINX = spawnSync(NGINX, ["-v"]).status === 0;
const why = HAS_NGINX ? "" : " (skipped: no nginx here; Debian has it as nginx-light)";

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
    const up = fetch(origin).then(
      () => true,
      () => false,
    );
    if (await up) return origin;
    await setTimeout(50);
  }
}

const FILES = [
  ...["index.html", "404.html", "tag/love/index.html", "embed/1/index.html", "feed.xml"],
  ...["sitemap-index.xml", "build.json", "pagefind/en/pagefind.js", "_astro/a.css"],
];

test.skipIf(!HAS_NGINX).each(["/", "/quotes/"])(
  `nginx sends the policy and the cache rule of every part, below %s${why}`,
  async (base) => {
    const files = FILES.map((name) => [base.slice(1) + name, "content"]);
    const outDir = folderWith(Object.fromEntries(files) as Record<string, string>);
    const origin = await served(join(outDir, base), outDir, base);
    const NAMES = ["cache-control", "content-security-policy", "x-frame-options"];
    const sent = async (path: string) => {
      const { status, headers } = await fetch(origin + base + path);
      return [status, ...NAMES.map((name) => headers.get(name))];
    };
    const parts = ["", "tag/love/", "feed.xml", "sitemap-index.xml", "build.json"];
    for (const path of [...parts, "pagefind/en/pagefind.js"])
      expect(await sent(path), path).toEqual([200, ASK_FIRST, "frame-ancestors 'none'", "DENY"]);
    expect(await sent("embed/1/")).toEqual([200, ASK_FIRST, "frame-ancestors *", null]);
    expect((await sent("_astro/a.css"))[1]).toBe("public, max-age=31536000, immutable");
    expect(await sent("nowhere/")).toEqual([404, ASK_FIRST, "frame-ancestors 'none'", "DENY"]);
  },
);
