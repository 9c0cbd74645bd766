/**
 * The description of the service to read, drawn by Scalar in the browser and served from here alone.
 *
 * Scalar's script is no part of its hono package: it lies in `@scalar/api-reference`. Left to itself it fetches fonts
 * and more from elsewhere; the page's policy lets nothing but this service be asked.
 */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Scalar } from "@scalar/hono-api-reference";
import type { Context, Env } from "hono";

/** Where the script is served. */
export const SCRIPT_PATH = "/docs/scalar.js";

/** The script in node_modules; null where its package is not installed. */
export function findScript(): string | null {
  const { resolve } = createRequire(import.meta.url);
  try {
    const script = join(dirname(resolve("@scalar/api-reference")), "browser/standalone.js");
    return existsSync(script) ? script : null;
  } catch (error) {
    if (error instanceof Error && "code" in error && NOT_INSTALLED.has(String(error.code))) {
      return null;
    }
    throw error;
  }
}

const NOT_INSTALLED = new Set(["MODULE_NOT_FOUND", "ERR_PACKAGE_PATH_NOT_EXPORTED"]);

export async function serveScript(script: string): Promise<Response> {
  const headers = { "Content-Type": "text/javascript; charset=utf-8" };
  return new Response(new Uint8Array(await readFile(script)), { headers });
}

/** The page; `c` is answered with a policy that has a nonce of its own. */
export async function scalarPage(c: Context<Env, string>): Promise<Response> {
  const nonce = randomBytes(16).toString("base64");
  const draw = Scalar({
    url: "/openapi.json",
    cdn: SCRIPT_PATH,
    nonce,
    pageTitle: "Quotes service",
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    agent: { disabled: true },
  });
  c.header("Content-Security-Policy", policy(nonce));
  return (await draw(c, () => Promise.resolve())) ?? c.notFound();
}

function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
