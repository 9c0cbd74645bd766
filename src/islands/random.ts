/** Redirects to a random quote of a random file. */
import { element } from "./browser.ts";

const link = element(document, "#another", HTMLAnchorElement);
const { base = "/", files = "0" } = link.dataset;

async function choose(): Promise<void> {
  const file = Math.floor(Math.random() * Number(files));
  const answer = await fetch(`${base}api/v1/random/${file}.json`);
  if (!answer.ok) return;
  const { quotes } = (await answer.json()) as { quotes: readonly { readonly path: string }[] };
  const quote = quotes[Math.floor(Math.random() * quotes.length)];
  if (quote !== undefined) location.replace(base + quote.path.slice(1));
}

// A site may have no quotes.
link.hidden = files === "0";
if (!link.hidden) void choose();
