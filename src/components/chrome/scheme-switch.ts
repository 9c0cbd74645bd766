/** Brings the light and dark switch to life: shows it, and keeps what the reader chooses. Runs in the browser. */
import { store } from "../../islands/browser.ts";
import { SCHEME_KEY } from "../../layouts/inline-scripts.ts";

const root = document.documentElement;
const select = document.querySelector<HTMLSelectElement>("#scheme");

if (select !== null) {
  select.value = root.dataset["scheme"] ?? "";
  select.closest(".scheme")?.removeAttribute("hidden");
  select.addEventListener("change", () => choose(select.value));
}

/** @param scheme empty for the site's own choice */
function choose(scheme: string): void {
  if (scheme === "") delete root.dataset["scheme"];
  else root.dataset["scheme"] = scheme;
  store(SCHEME_KEY, scheme || null);
}
