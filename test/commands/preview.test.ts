/** The server of `npm run preview`: a host's manners, and nothing from outside of the site's folder. */
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hostAnswers, serveSite } from "../../src/hosts/serve-site.ts";
import { exchange } from "../service/support/raw-socket.ts";
import { CAN_LINK, folderWith, startServer } from "../support/run/index.ts";

const FILES = {
  "index.html": "home",
  "404.html": "not here",
  "tags/index.html": "tags",
  _headers: "/*\n  X-A: 1\n\n/tags/*\n  X-A: 2\n",
  _redirects: "/old/ /tags/ 301\n/old/ /elsewhere/ 301\n/было/ /tags/ 301\n",
};

async function serve(base = "/", outDir = folderWith(FILES)): Promise<string> {
  const served = await serveSite({ outDir, base, port: 0, answers: hostAnswers(outDir, null) });
  onTestFinished(() => served.close());
  return new URL(served.url).origin;
}

/** A path as it is, which no client would send. */
const request = (path: string, host = "localhost", more = "") =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`;

test.each([
  ...["/%2e%2e%2fstate/current", "/..%2f..%2fetc/passwd", "/_headers", "/%ff", "/nowhere/"],
  ...[`/${"x".repeat(300)}`, "/index.html/", "//tags", "/.//tags", "/x/..//tags", "/%2ftags"],
  ...["/./%2e%2e/tags/%2e%2e//tags", "/tags//"],
])(
  "serveSite() has nothing at %s but the 404 page, with the headers of every page",
  async (path) => {
    const { reply } = await exchange(await serve(), request(path));
    expect(reply).toMatch(/^HTTP\/1\.1 404 [\s\S]*\r\nx-a: 1[\s\S]*\r\n\r\nnot here$/);
    expect(reply).not.toMatch(/\r\nlocation:/i);
  },
);

test.skipIf(!CAN_LINK).each(["leak.txt", "leak", "leak/"])(
  "serveSite() follows no link out of the folder: /%s",
  async (path) => {
    const outDir = folderWith(FILES);
    const outside = folderWith({ "index.html": "secret", "a.txt": "secret" });
    symlinkSync(join(outside, "a.txt"), join(outDir, "leak.txt"));
    symlinkSync(outside, join(outDir, "leak"));
    symlinkSync(join(outDir, "tags"), join(outDir, "inside"));
    const origin = await serve("/", outDir);
    const answer = await fetch(`${origin}/${path}`);
    expect([answer.status, await answer.text()]).toEqual([404, "not here"]);
    expect(await (await fetch(`${origin}/inside/`)).text()).toBe("tags");
  },
);

test("serveSite() without rules of a host keeps what is called by its content, and needs no 404 page", async () => {
  const outDir = folderWith({ "a b.css": "a{}", "_astro/x.js": "1", "x.bin": "" });
  const served = await serveSite({ outDir });
  onTestFinished(() => served.close());
  const at = async (path: string) => {
    const { status, headers } = await fetch(served.url + path);
    return [status, headers.get("content-type"), headers.get("cache-control")];
  };
  expect(await at("a%20b.css")).toEqual([200, "text/css; charset=utf-8", "no-cache"]);
  expect(await at("_astro/x.js")).toEqual([200, "text/javascript; charset=utf-8", "max-age=3600"]);
  expect(await at("x.bin")).toEqual([200, "application/octet-stream", "no-cache"]);
  expect(await at("")).toEqual([404, "text/html; charset=UTF-8", "no-cache"]);
});

test("serveSite() leads to folders and on to new addresses, joins headers, and takes no POST", async () => {
  const origin = await serve();
  const at = async (path: string) => {
    const answer = await fetch(origin + path, { redirect: "manual" });
    return [answer.status, answer.headers.get("location"), answer.headers.get("x-a")];
  };
  expect(await at("/tags")).toEqual([301, "/tags/", "1"]);
  expect(await at("/tags?q=1")).toEqual([301, "/tags/?q=1", "1"]);
  expect(await at("/tags/")).toEqual([200, null, "1, 2"]);
  expect(await at("/old/")).toEqual([301, "/tags/", "1"]);
  expect(await at("/%D0%B1%D1%8B%D0%BB%D0%BE/")).toEqual([301, "/tags/", "1"]);
  expect((await fetch(origin, { method: "POST" })).status).toBe(405);
});

test.each([
  ["_redirects", "// /x/ 301\n/old/ /tags/ 301\n", 301],
  ["vercel.json", '{ "trailingSlash": true }', 404],
])("serveSite() takes a %s of the fork's own", async (name, text, status) => {
  const origin = await serve("/", folderWith({ ...FILES, [name]: text }));
  expect((await fetch(`${origin}/old/`, { redirect: "manual" })).status).toBe(status);
});

test.each([
  ['{ "redirects": {} }', /^Cannot use vercel\.json: redirects: .*expected array/],
  ['{ "headers": [{ "source": "/(", "headers": [] }] }', /headers: 0: source: expected a regular/],
  ["{", /^Cannot use vercel\.json: .*expected object/],
])("hostAnswers() refuses a vercel.json of %j", (text, message) => {
  expect(() => hostAnswers(folderWith({ "vercel.json": text }), null)).toThrow(message);
});

test("serveSite() keeps to the base path", async () => {
  const origin = await serve("/q/");
  expect((await fetch(`${origin}/q/tags/`)).status).toBe(200);
  expect((await fetch(`${origin}/tags/`)).status).toBe(404);
});

test("serveSite() answers under names of this machine, and those that are allowed", async () => {
  const served = await serveSite({ outDir: folderWith(FILES), allowedHosts: ["quotes.example"] });
  onTestFinished(() => served.close());
  for (const host of ["localhost", "127.0.0.1:4321", "[::1]", "quotes.example:4321"]) {
    expect((await exchange(served.url, request("/", host))).reply).toMatch(/^HTTP\/1\.1 200 /);
  }
  for (const host of ["evil.example", "127.0.0.1.evil.example"]) {
    const { reply } = await exchange(served.url, request("/", host));
    expect(reply).toMatch(/^HTTP\/1\.1 421 /);
    expect(reply).not.toContain("home");
  }
});

// Only Linux has all of 127.0.0.0/8 on the loopback.
test.skipIf(process.platform !== "linux")(
  "npm run preview prints an address at which it answers",
  async () => {
    const args = ["--out", folderWith(FILES), "--host", "127.0.0.2", "--port", "0", "--quiet"];
    const { url, output, stop } = await startServer("preview", args, { VOTE_BASE_URL: "off" });
    expect(output()).toMatch(/^Serving [^\n]+\n$/);
    expect(await (await fetch(url)).text()).toBe("home");
    await stop("SIGKILL");
  },
);

test("serveSite() sends no file twice that a browser has, and parts of it", async () => {
  const outDir = folderWith({ "page.txt": "0123456789" });
  const served = await serveSite({ outDir });
  onTestFinished(() => served.close());
  const get = (headers: Record<string, string>, method = "GET") =>
    fetch(`${served.url}page.txt`, { method, headers });
  const whole = await get({});
  const etag = whole.headers.get("etag") ?? "";
  expect([whole.headers.get("content-length"), await whole.text()]).toEqual(["10", "0123456789"]);
  expect((await get({ "If-None-Match": etag })).status).toBe(304);
  for (const [range, text] of [
    ["bytes=2-4", "234"],
    ["bytes=7-", "789"],
    ["bytes=-2", "89"],
  ] as const) {
    const part = await get({ Range: range });
    expect([part.status, await part.text()]).toEqual([206, text]);
  }
  const head = await get({}, "HEAD");
  const said = [head.status, head.headers.get("content-length"), await head.text()];
  expect(said).toEqual([200, "10", ""]);
  writeFileSync(join(outDir, "page.txt"), "9876543210!");
  const changed = await get({ "If-None-Match": etag });
  expect([changed.status, await changed.text()]).toEqual([200, "9876543210!"]);
});
