/** Plain pages for people: the front page, and the description of the service as HTML that needs no script. */
import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { z } from "zod";

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Nothing is fetched, run or sent by these pages. */
export const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

export function frontPage(quotes: number): Html {
  return page(
    "Quotes service",
    html`<p>${quotes.toLocaleString("en")} quotes, over HTTP, as JSON.</p>
      <ul>
        <li><a href="/apiv1/quotes/">/apiv1/quotes/</a></li>
        <li><a href="/apiv1/qod/">/apiv1/qod/</a></li>
        <li><a href="/apiv1/tags/">/apiv1/tags/</a></li>
        <li>
          <a href="/docs/">How to ask</a>, and the same <a href="/openapi.json">as OpenAPI</a>
        </li>
      </ul>`,
  );
}

/** What the plain reference shows of the OpenAPI document. */
const documentSchema = z.object({
  info: z.object({ title: z.string(), description: z.string() }),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        summary: z.string(),
        parameters: z
          .array(z.object({ name: z.string(), schema: z.object({ description: z.string() }) }))
          .default([]),
        responses: z.record(z.string(), z.object({ description: z.string() })),
      }),
    ),
  ),
});

/** @param description the OpenAPI document, as JSON text */
export function plainReference(description: string): Html {
  const { info, paths } = documentSchema.parse(JSON.parse(description));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );
  return page(
    info.title,
    html`<p>${info.description}</p>
      ${operations.map(
        ({ path, method, summary, parameters, responses }) =>
          html`<h2><code>${method.toUpperCase()} ${path}</code></h2>
            <p>${summary}</p>
            <dl>
              ${parameters.map(
                ({ name, schema }) =>
                  html`<dt><code>${name}</code></dt>
                    <dd>${schema.description}</dd>`,
              )}
              ${Object.entries(responses).map(
                ([status, response]) =>
                  html`<dt>${status}</dt>
                    <dd>${response.description}</dd>`,
              )}
            </dl>`,
      )}
      <p><a href="/openapi.json">The same as OpenAPI</a></p>`,
  );
}

const STYLE =
  "body{font:1.05rem/1.6 Georgia,serif;max-width:42rem;margin:3rem auto;padding:0 1rem;color:#222;background:#fdfcf9}" +
  "a{color:#20507a}dt{float:left;clear:left;min-width:7rem}dd{margin:0 0 .3rem 8rem}h2{font-size:1.1rem;margin-top:2.5rem}" +
  "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181a1b}a{color:#8bbbe8}}";

function page(title: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        <h1>${title}</h1>
        ${body}
      </body>
    </html>`;
}
