/** Parts of which the kinds of ordinary servers are made. */
import type { Answer, Asked, Page, Quote, Reality, Service } from "./service.ts";

export type Row = Record<string, unknown> & Quote;
export type Make = () => Reality;

export const plain = (status: number, body: unknown = { detail: "x" }, headers = {}): Answer => ({
  ...{ status, body, headers },
});
export const HTML = { "content-type": "text/html" };
export const onList =
  (answer: (asked: Asked, service: Service) => Answer | null): NonNullable<Reality["instead"]> =>
  (asked, service) =>
    asked.isList ? answer(asked, service) : null;
export const limitIn = (url: URL): number => Number(url.searchParams.get("limit"));

/** A leaky bucket, as nginx has it. */
function bucket(perSecond: number, burst: number): (now: number) => boolean {
  let [level, last] = [0, 0];
  return (now) => {
    level = Math.max(0, level - ((now - last) / 1_000) * perSecond);
    last = now;
    if (level > burst) return false;
    level++;
    return true;
  };
}
export const limited =
  (refusal: Answer): Make =>
  () => {
    const mayPass = bucket(2, 5);
    return { instead: ({ now }) => (mayPass(now) ? null : refusal) };
  };
/** So many requests in each span of time, and a refusal after them. */
export const windowed =
  (most: number, spanMs: number, refusal: (waitMs: number, now: number) => Answer): Make =>
  () => {
    let [since, used] = [0, 0];
    return {
      instead: ({ now }) => {
        if (now - since >= spanMs) [since, used] = [now, 0];
        return ++used > most ? refusal(since + spanMs - now, now) : null;
      },
    };
  };
/** A window of a quota, told in headers; a client that goes on after it is banned for the night. */
export const quota =
  (headersFor: (left: number, waitMs: number, now: number) => Record<string, string>): Make =>
  () => {
    let [since, used, refused] = [0, 0, 0];
    return {
      wire: (answer, { now }) => {
        if (now - since >= 10_000) [since, used, refused] = [now, 0, 0];
        const left = 20 - ++used;
        const headers = {
          ...answer.headers,
          ...headersFor(Math.max(0, left), since + 10_000 - now, now),
        };
        if (left >= 0) return { ...answer, headers };
        return ++refused > 3
          ? plain(403, { detail: "banned" })
          : plain(429, { errno: 429 }, headers);
      },
    };
  };
/** One answer of a night, at a request for a list. */
export const once =
  (at: number, answer: Answer): Make =>
  () => ({
    instead: onList(({ number }) => (number === at ? answer : null)),
  });
/**
 * Another answer to lists for some time, from the fourth request of a night on.
 *
 * @param how.afterPage not before a page was served: an empty list before is that of an empty service
 */
export const away =
  (seconds: number, answer: Answer, { afterPage = false } = {}): Make =>
  () => {
    let since: number | null = null;
    let mayBegin = !afterPage;
    return {
      instead: onList(({ number, now }) => {
        if (number === 1) [since, mayBegin] = [null, !afterPage];
        if (number >= 4 && mayBegin) since ??= now;
        return since !== null && now < since + seconds * 1_000 ? answer : null;
      }),
      wire: (served, { isList, limit }) => {
        mayBegin ||= isList && limit > 1 && served.status === 200;
        return served;
      },
    };
  };
/** Each so many answers of a list, another one. */
export const everyNth =
  (nth: number, change: (answer: Answer) => Answer): Make =>
  () => {
    let number = 0;
    return {
      wire: (answer, { isList }) =>
        isList && answer.status === 200 && ++number % nth === 0 ? change(answer) : answer,
    };
  };
export const beyond =
  (offset: number, answer: Answer): Make =>
  () => ({
    instead: onList((asked) =>
      asked.offset > 0 && asked.offset + asked.limit > offset ? answer : null,
    ),
  });
export const refuses =
  (answer: Answer, when: (asked: Asked) => boolean): Make =>
  () => ({
    instead: onList((asked) => (when(asked) ? answer : null)),
  });
/** No page has a `next`, and one past the end fails. */
export const failsPast =
  (answer: Answer): Make =>
  () => ({
    instead: onList(({ url, offset }, service) => {
      const { results } = service.pageAt(url, 0, Infinity);
      return offset > 0 && offset >= results.length ? answer : null;
    }),
    page: ({ results }) => ({ results }),
  });
/** An empty page, which says that more follow. */
export const refusesRows =
  (when: (asked: Asked) => boolean): Make =>
  () => ({ page: (page, asked) => (when(asked) ? { ...page, results: [] } : page) });
export const offsets =
  (begin: NonNullable<Reality["begin"]>): Make =>
  () => ({ begin });
export const rows =
  (change: (row: Row, at: number, all: readonly Row[]) => unknown): Make =>
  () => ({
    page: (page) => ({ ...page, results: (page.results as Row[]).map(change) }),
  });
export const each = (divisor: number, change: (row: Row) => unknown): Make =>
  rows((row) => (row.pk % divisor === 0 ? change(row) : row));
export const pages =
  (change: (page: Page, asked: Asked, rows: number, service: Service) => unknown): Make =>
  () => ({
    page: (page, asked, service) => change(page, asked, service.quotes.length, service),
  });
export const wire =
  (change: (text: string) => Partial<Answer>): Make =>
  () => ({
    wire: (answer) => {
      if (answer.status !== 200 || typeof answer.body !== "object") return answer;
      return { ...answer, ...change(JSON.stringify(answer.body)) };
    },
  });
/** Rows of a join without DISTINCT: first all quotes, then every third one again. */
export const joined =
  (again: (row: Row) => Row): Make =>
  () => ({
    page: (page, { url, offset, limit }, service) => {
      const all = service.pageAt(url, 0, Infinity).results as readonly Row[];
      const rows = [...all, ...all.filter(({ pk }) => pk % 3 === 0).map(again)];
      const next = new URL(url);
      next.searchParams.set("offset", String(offset + limit));
      return {
        ...page,
        next: offset + limit < rows.length ? next.href : null,
        results: rows.slice(offset, offset + limit),
      };
    },
  });
/** Answers with a head of its own before the bytes of the body. */
export const headed = (head: (bytes: Buffer) => string): Make =>
  wire(() => ({
    send: (bytes, response) => {
      response.req.socket.end(Buffer.concat([Buffer.from(head(bytes)), bytes]));
    },
  }));
/** Changes a page of quotes after all other kinds: what it becomes may be no page. */
export const sent =
  (change: (page: Page) => unknown): Make =>
  () => ({
    wire: (answer, { isList }) => {
      const { status, body } = answer;
      const isPage = typeof body === "object" && body !== null && "results" in body;
      return status === 200 && isList && isPage
        ? { ...answer, body: change(body as Page) }
        : answer;
    },
  });
export const typed = (type: string) => ({ "content-type": type });
/** A page with the right keys and false contents, once a night. */
export const falsely =
  (change: (row: Row, at: number, all: readonly Row[]) => Row): Make =>
  () => ({
    page: (page, { number, isPlain }) =>
      number === 3 && isPlain ? { ...page, results: (page.results as Row[]).map(change) } : page,
  });
export const byLikes = (one: Quote, other: Quote): number =>
  other.likes - one.likes || one.pk - other.pk;
export const mixed = (pk: number): number => (pk * 7_919) % 10_007;
/** How many bytes the quotes of a page have. */
export const weigh: (limit: number, refusal: Answer) => Make = (most, refusal) => () => ({
  wire: (answer, { isList }) => {
    const isHeavy = answer.status === 200 && isList && JSON.stringify(answer.body).length > most;
    return isHeavy ? refusal : answer;
  },
});
