/** Compares the quotes that a page shows with the ones it should. */
import type { Report } from "../finding.ts";
import type { Tag } from "../html/tags.ts";

const ID = /^q([1-9]\d{0,15})$/;
const DIRECTION = /^(?:ltr|rtl)$/;

/** The quotes of one page, in the order of the page. */
export class QuotesOnPage {
  readonly #shown: number[] = [];

  /** Takes an `<article class="quote">` (design, "Markup"). */
  take(tag: Tag, report: Report): void {
    const id = tag.get("id") ?? "";
    const pk = ID.exec(id)?.[1];
    if (pk === undefined) return report("quote markup", `id "${id}" names no quote`);
    if (tag.get("data-pk") !== pk) report("quote markup", `${id} has another data-pk`);
    if ((tag.get("lang") ?? "") === "") report("quote markup", `${id} has no lang`);
    if (!DIRECTION.test(tag.get("dir") ?? "")) report("quote markup", `${id} has no dir`);
    this.#shown.push(Number(pk));
  }

  /** @param planned ids in order; null where the plan does not say which quotes the page shows */
  compare(planned: readonly number[] | null, report: Report): void {
    const shown = this.#shown;
    if (planned === null) return reportRepeats(shown, report);
    if (shown.length === planned.length && shown.every((id, index) => id === planned[index]))
      return;
    reportRepeats(shown, report);
    const missing = planned.filter((id) => !shown.includes(id));
    const foreign = shown.filter((id) => !planned.includes(id));
    for (const id of missing) report("quote missing", `q${id}`);
    for (const id of foreign) report("quote not planned", `q${id}`);
    if (missing.length + foreign.length > 0 || shown.length !== planned.length) return;
    const at = shown.findIndex((id, index) => id !== planned[index]);
    report("quote out of order", `q${shown[at] ?? 0} is in the place of q${planned[at] ?? 0}`);
  }
}

function reportRepeats(shown: readonly number[], report: Report): void {
  for (const [index, id] of shown.entries()) {
    if (shown.indexOf(id) !== index) report("quote twice", `q${id}`);
  }
}
