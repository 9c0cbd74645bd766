/** The relay's answers: the contract's shapes for a script, a line and a link back for a reader without JavaScript. */
import { errorJson } from "../contract/error-body.ts";
import type { Verdict } from "./forward.ts";

/** In the language of the site. */
export interface Words {
  /** BCP 47. */
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
  readonly counted: string;
  readonly unconfirmed: string;
  readonly later: string;
  readonly refused: string;
  /** The link back to the site. */
  readonly back: string;
}

/** Makes the function that answers: `{}` or an error of the contract, or a page of one line for a person. */
export function createAnswer(siteUrl: string, words: Words) {
  const { origin } = new URL(siteUrl);
  return ({ status, waitMs }: Verdict, request: Request): Response => {
    const person = request.headers.get("Sec-Fetch-Mode") === "navigate" && status !== 403;
    const headers = new Headers({
      "Content-Type": person ? "text/html; charset=utf-8" : "application/json",
      "Content-Security-Policy": "default-src 'none'",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
      Vary: "Origin",
    });
    if (request.headers.get("Origin") === origin) {
      headers.set("Access-Control-Allow-Origin", origin);
      headers.set("Access-Control-Expose-Headers", "Retry-After");
    }
    if (status === 405) headers.set("Allow", "POST");
    if (waitMs > 0) headers.set("Retry-After", String(Math.ceil(waitMs / 1_000)));
    const json = status === 200 ? "{}" : errorJson(status);
    return new Response(person ? pageOf(status, siteUrl, words) : json, { status, headers });
  };
}

function pageOf(status: Verdict["status"], siteUrl: string, words: Words): string {
  const { lang, dir, back } = words;
  const text = words[stateOf(status)];
  return `<!doctype html><html lang="${lang}" dir="${dir}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${text}</title><p>${text}</p><p><a href="${encodeURI(siteUrl)}">${back}</a></p></html>`;
}

function stateOf(status: Verdict["status"]): "counted" | "unconfirmed" | "later" | "refused" {
  if (status === 200) return "counted";
  if (status === 502 || status === 504) return "unconfirmed";
  return status === 429 || status >= 500 ? "later" : "refused";
}
