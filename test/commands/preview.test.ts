/** The server of `npm run preview`: a host's manners, and nothing from outside of the site's folder. */
import { expect, onTestFinished, test } from "vitest";
import { hostAnswers } from "../../src/commands/preview/host-answers.ts";
import { serveSite } from "../../src/commands/preview/serve-site.ts";
import { siteOf } from "../release/hosts/support.ts";

const FILES = {
  "index.html": "home",
  "404.html": "not here",
  "tags/index.html": "tags",
  _headers: "/*\n  X-A: 1\n\n/tags/*\n  X-A: 2\n",
  _redirects: "/old/ /tags/ 301\n/old/ /elsewhere/ 301\n",
};

async function serve(base = "/"): Promise<string> {
  const outDir = siteOf(FILES);
  const served = await serveSite({ outDir, base, port: 0, answers: hostAnswers(outDir, null) });
  onTestFinished(() => served.close());
  return new URL(served.url).origin;
}

test.each(["/%2e%2e%2fstate/current", "/..%2f..%2fetc/passwd", "/_headers", "/%ff", "/nowhere/"])(
  "serveSite() has nothing at %s but the 404 page, with the headers of every page",
  async (path) => {
    const answer = await fetch((await serve()) + path);
    expect([answer.status, await answer.text()]).toEqual([404, "not here"]);
    expect(answer.headers.get("x-a")).toBe("1");
  },
);

test("serveSite() leads to folders and on to new addresses, joins headers, and takes no POST", async () => {
  const origin = await serve();
  const at = async (path: string) => {
    const answer = await fetch(origin + path, { redirect: "manual" });
    return [answer.status, answer.headers.get("location"), answer.headers.get("x-a")];
  };
  expect(await at("/tags")).toEqual([301, "/tags/", "1"]);
  expect(await at("/tags/")).toEqual([200, null, "1, 2"]);
  expect(await at("/old/")).toEqual([301, "/tags/", "1"]);
  expect((await fetch(origin, { method: "POST" })).status).toBe(405);
});

test("serveSite() keeps to the base path", async () => {
  const origin = await serve("/q/");
  expect((await fetch(`${origin}/q/tags/`)).status).toBe(200);
  expect((await fetch(`${origin}/tags/`)).status).toBe(404);
});
