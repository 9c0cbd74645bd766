/**
 * The codes by which a service filters by language. It may list "EN" and filter by "en", or the other way round: a code is
 * sent as the contract writes it, where that brings nothing as the service lists it. Before any record is seen, the English
 * name may be meant.
 */
import { PermanentAnswer } from "../contract/errors.ts";
import { englishName, readLanguage } from "../contract/language-names.ts";
import { isKnownLanguage } from "../contract/languages.ts";
import type { Quote } from "../contract/quote.ts";
import { countRecords, isSlice, type Filter, type ServedPage } from "../contract/window.ts";
import { getOrCompute } from "../util/get-or-compute.ts";

const fold = (code: string): string => code.toLowerCase();

/** Statuses by which a service refuses a code that it does not know. */
const REFUSES_CODE: ReadonlySet<number> = new Set([400, 404, 422]);

export class LanguageCodes {
  /** Codes in the records of the service, by their folded form. */
  readonly #served = new Map<string, Set<string>>();
  #hasSeen = false;
  /** The code that brought quotes, by its folded form. */
  readonly #heeded = new Map<string, string>();

  /** @param served codes in the records of earlier runs */
  constructor(served: readonly string[]) {
    this.#note(served);
  }

  /** @param named what stood in the place of a code in their records */
  note(quotes: readonly Quote[], named: readonly string[]): void {
    this.#hasSeen ||= quotes.length > 0;
    this.#note(quotes.map(({ language }) => language));
    for (const name of named) this.#add(readLanguage(name), name);
  }

  #note(languages: readonly string[]): void {
    for (const language of languages) this.#add(language, language);
  }

  #add(code: string, written: string): void {
    getOrCompute(this.#served, fold(code), () => new Set()).add(written);
  }

  /**
   * Requests a page of a list by language. Its first page is requested by each code that may be meant, until one brings quotes.
   *
   * @param send requests the page with the filter that it gets
   */
  async ask(
    filter: Filter,
    offset: number,
    send: (filter: Filter) => Promise<ServedPage>,
  ): Promise<ServedPage> {
    const { language } = filter;
    if (language === null) return send(filter);
    const [first = language, ...others] = this.#codesOf(language, isSlice(filter));
    const rest = offset === 0 ? others : [];
    for (let code = first; ;) {
      const next = rest.shift();
      try {
        const page = await send({ ...filter, language: code });
        const hasRows = countRecords(page) > 0;
        if (hasRows) this.#heeded.set(fold(code), code);
        if (hasRows || next === undefined) return page;
      } catch (error) {
        const isRefusal = error instanceof PermanentAnswer && REFUSES_CODE.has(error.status);
        if (!isRefusal || next === undefined) throw error;
      }
      code = next;
    }
  }

  #codesOf(code: string, isSlice: boolean): string[] {
    const name = fold(code);
    const heeded = this.#heeded.get(name);
    if (heeded !== undefined) return [heeded];
    const served = this.#served.get(name);
    const standard = isKnownLanguage(name) ? [name] : [];
    const posix = code.includes("-") ? [code.replaceAll("-", "_")] : [];
    const codes = served ?? [name, name.toUpperCase()];
    // Records show how the service writes its languages, and a slice is of a list that was read.
    const english = (this.#hasSeen || isSlice ? null : englishName(code)) ?? code;
    return [...new Set([...standard, code, ...codes, ...posix, english])];
  }
}
