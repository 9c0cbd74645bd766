/** Whether search engines may keep a page. A `noindex` that slipped into a layout empties them within weeks. */
import type { Report } from "../finding.ts";
import type { Tag } from "../html/tags.ts";
import { isElsewhere, type SiteAddress } from "./links.ts";

/** Names that search engines listen to in `<meta name>`. */
const LISTENERS = /^(?:robots|googlebot|bingbot)$/i;
const HIDES = /(?:^|[\s,])(?:noindex|none)(?:$|[\s,])/i;

export class Visibility {
  #hides: string | null = null;
  #canonical: string | null = null;

  take(tag: Tag): void {
    if (tag.name === "meta" && LISTENERS.test(tag.get("name") ?? "")) {
      const content = tag.get("content") ?? "";
      if (HIDES.test(content)) this.#hides = content;
    } else if (tag.name === "link" && tag.get("rel")?.toLowerCase() === "canonical") {
      this.#canonical = tag.get("href") ?? "";
    }
  }

  /** @param unlisted whether the page is meant to stay out of search engines */
  check(unlisted: boolean, site: SiteAddress, report: Report): void {
    if (unlisted) return;
    if (this.#hides !== null)
      report("hidden from search", `its robots directive is "${this.#hides}"`);
    if (this.#canonical !== null && isElsewhere(this.#canonical, site)) {
      report("hidden from search", `its canonical address is elsewhere: ${this.#canonical}`);
    }
  }
}
