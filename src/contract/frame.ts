/**
 * Knows a page past the end by the pages before it. Frameworks leave out what is empty, each in its own way: Go writes null for the
 * list, Spring drops the object around it, others say "nothing found".
 */
import { ERROR_FIELDS, readErrorBody } from "./body.ts";
import { listOf } from "./envelope.ts";
import { isFields, type Fields } from "./fields.ts";

/** Fields that say in words whether a request succeeded. */
const WORDS = ["message", "msg", "detail", "errmsg"];
/** Fields that say it otherwise. */
const STATUSES = [
  ...["success", "ok", "status", "code"],
  ...ERROR_FIELDS.filter((name) => !WORDS.includes(name)),
];

/** What the pages of a list have around their rows. */
export class PageFrame {
  /** Names that lead to the list; empty before the first page with rows. */
  #path: readonly string[] = [];
  /** Names of the objects that lead to the list, and beside them. */
  readonly #names = new Set<string>();
  /** What the last such page said of its success, as JSON by name. */
  #said: ReadonlyMap<string, string> = new Map();

  /** @returns a page without a list as one with an empty list, and any other body unchanged */
  read(body: unknown): unknown {
    if (!isFields(body)) return body;
    const list = listOf(body);
    if (list !== null && list.results.length > 0) this.#note(body, list);
    else if ((list === null || readErrorBody(body) !== null) && this.#isEmptyPage(body)) {
      const own = Object.entries(body).filter(([name]) => !isOfSuccess(name));
      return { ...Object.fromEntries(own), results: [] };
    }
    return body;
  }

  #note(body: Fields, { within, results }: NonNullable<ReturnType<typeof listOf>>): void {
    const parts = [...within.slice(1), results];
    this.#path = within.flatMap((fields, level) => nameOf(parts[level], fields));
    for (const name of within.flatMap((fields) => Object.keys(fields))) this.#names.add(name);
    this.#said = saidIn(body);
  }

  /** Whether a body has the names of a page and no others, says the same of its success, and has nothing where its list would be. */
  #isEmptyPage(body: Fields): boolean {
    if (this.#path.length === 0) return false;
    let within: unknown = body;
    for (const name of this.#path) {
      if (!isFields(within)) break;
      if (!Object.keys(within).every((one) => this.#names.has(one))) return false;
      within = within[name];
    }
    return isNothing(within) && this.#isSuccess(body);
  }

  /** Words may differ where another field says that it is a success, as in "No quotes found". */
  #isSuccess(body: Fields): boolean {
    const said = saidIn(body);
    const isSame = (name: string): boolean => said.get(name) === this.#said.get(name);
    const hasStatus = STATUSES.some((name) => said.has(name));
    return STATUSES.every(isSame) && (hasStatus || WORDS.every(isSame));
  }
}

const isOfSuccess = (name: string): boolean => STATUSES.includes(name) || WORDS.includes(name);

function saidIn(body: Fields): ReadonlyMap<string, string> {
  const said = Object.entries(body).filter(([name]) => isOfSuccess(name));
  return new Map(said.map(([name, value]) => [name, JSON.stringify(value)]));
}

/** Whether a value is an empty list, or what stands for one. */
const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === "object" && Object.keys(value).length === 0);

/** The name of a part of an object, alone; none for the rows of a list that came as an object. */
const nameOf = (part: unknown, fields: Fields): string[] =>
  Object.keys(fields).filter((name) => fields[name] === part);
