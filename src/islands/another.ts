/**
 * Another quote at each press: `a.another` leads to the next of a queue, which a file of random quotes fills, and the page of the
 * one after is fetched ahead. The queue is in `sessionStorage`, with what it is made from: languages, or a listing.
 */
import { announce, make, pageWords } from "./browser.ts";
import { chosenTags, parseSets, readLanguages } from "./languages.ts";

/**
 * The queue: where it is from, in which languages, the page that it led to last, and the paths of the next quotes below the base
 * path.
 */
interface Queue {
  readonly from: string;
  readonly languages: string;
  readonly at: string;
  readonly paths: readonly string[];
}

const EMPTY: Queue = { from: "", languages: "", at: "", paths: [] };

/** Files of languages that are read at once. */
const MOST_FILES = 3;

const keyOf = (): string => `commonplace-another:${pageWords().base}`;

/** A path of the site: a stored one is not trusted. */
function isPath(path: unknown): path is string {
  return (
    typeof path === "string" &&
    /^\/(?:quote\/\d+\/|author\/[^/\\?#\s]+\/(?:\d+\/)?#q\d+)$/u.test(path)
  );
}

/** Storage may be refused, full, or changed by something else: then the queue lasts for the page. */
let queue = readQueue();

function readQueue(): Queue {
  try {
    const stored = Object(JSON.parse(sessionStorage.getItem(keyOf()) ?? "{}")) as Partial<Queue>;
    const { from, languages, at, paths } = stored;
    const isValid = [from, languages, at].every((one) => typeof one === "string");
    if (!isValid || !Array.isArray(paths)) return EMPTY;
    return { ...(stored as Queue), paths: paths.filter(isPath) };
  } catch (error) {
    if (!(error instanceof DOMException || error instanceof SyntaxError)) throw error;
    return EMPTY;
  }
}

function storeQueue(next: Queue): void {
  queue = next;
  try {
    sessionStorage.setItem(keyOf(), JSON.stringify(next));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

const addressOf = (path: string): string => pageWords().base + path.slice(1);

/** What a link takes quotes from: on the page that a queue led to, from the same as before. */
function sourceOf(link: HTMLAnchorElement): string {
  const { from } = link.dataset;
  if (from !== undefined) return from;
  return queue.at === location.pathname ? queue.from : "";
}

/** What the reader has chosen to read, maybe in another tab; empty for a queue of a listing. */
const languagesFor = (from: string): string => (from === "" ? chosenTags() : "");

/** The quotes that wait for a link. */
const waitingFor = (from: string): readonly string[] =>
  queue.from === from && queue.languages === languagesFor(from) ? queue.paths : [];

/** Leads on from the page that the queue led to: fetches the next page ahead. */
export function lookAhead(link: HTMLAnchorElement): void {
  const [next] = waitingFor(sourceOf(link));
  if (next === undefined) return;
  link.href = addressOf(next);
  document.head.append(make("link", { rel: "prefetch", href: link.href }));
}

/**
 * Opens the next quote.
 *
 * @param replace whether the page that is left stays out of the history
 */
export async function goOn(link: HTMLAnchorElement, replace = false): Promise<void> {
  if (link.ariaBusy === "true") return;
  link.ariaBusy = "true";
  try {
    const from = sourceOf(link);
    const isOther = (path: string): boolean => addressOf(path).split("#")[0] !== location.pathname;
    const waiting = waitingFor(from);
    const [next, ...paths] = (waiting.length > 0 ? waiting : await fill(link, from)).filter(
      isOther,
    );
    // An empty collection, or a listing of one quote.
    if (next === undefined) return location.assign(link.href);
    const address = addressOf(next);
    const at = address.split("#")[0] ?? "";
    storeQueue({ from, languages: languagesFor(from), at, paths });
    if (replace) location.replace(address);
    else location.assign(address);
  } catch (error) {
    // Without a connection the queue alone leads on.
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    announce(link.dataset["offline"] ?? "");
    document.querySelector(".wait")?.classList.remove("wait");
  } finally {
    link.ariaBusy = "false";
  }
}

/** Reads files of quotes, and shuffles their paths. @throws {TypeError} without a connection */
async function fill(link: HTMLAnchorElement, from: string): Promise<string[]> {
  const lists = await Promise.all(filesOf(link, from).map(pathsIn));
  const paths = [...new Set(lists.flat())];
  for (let last = paths.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [paths[last], paths[other]] = [paths[other] ?? "", paths[last] ?? ""];
  }
  return paths;
}

/** Names of files below `api/v1/`, or of the page itself, which has all quotes of a small listing. */
function filesOf(link: HTMLAnchorElement, from: string): string[] {
  if (from !== "") return [from];
  return readLanguages(parseSets(link.dataset["sets"] ?? ""))
    .slice(0, MOST_FILES)
    .map(({ slug, files }) => `random/${slug}-${Math.floor(Math.random() * files)}`);
}

async function pathsIn(file: string): Promise<string[]> {
  if (file === location.pathname) return pathsOnPage();
  const answer = await fetch(file.startsWith("/") ? file : addressOf(`/api/v1/${file}.json`));
  if (!answer.ok) return [];
  if (file.startsWith("/"))
    return pathsOnPage(new DOMParser().parseFromString(await answer.text(), "text/html"));
  const { quotes } = (await answer.json()) as {
    readonly quotes: readonly { readonly path: string }[];
  };
  return quotes.map(({ path }) => path).filter(isPath);
}

function pathsOnPage(page: ParentNode = document): string[] {
  const links = page.querySelectorAll("article.quote .permalink");
  return Array.from(
    links,
    (link) => `/${link.getAttribute("href")?.slice(pageWords().base.length)}`,
  ).filter(isPath);
}
