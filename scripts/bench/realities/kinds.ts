/** What ordinary servers do, seen in public bug reports: a table of the kinds, by the rules of docs/walk.md. */
import { deflateRawSync, gzipSync, zstdCompressSync } from "node:zlib";
import {
  away,
  beyond,
  byLikes,
  each,
  everyNth,
  headed,
  failsPast,
  falsely,
  HTML,
  joined,
  limited,
  limitIn,
  mixed,
  offsets,
  once,
  onList,
  pages,
  plain,
  quota,
  refuses,
  refusesRows,
  rows,
  sent,
  typed,
  weigh,
  windowed,
  wire,
  type Make,
} from "./makes.ts";

const CHALLENGE = plain(403, "<title>Just a moment...</title>", {
  ...HTML,
  "cf-mitigated": "challenge",
});

/** A page in Latin-1, with words that are no UTF-8 in it. */
const accented = (text: string): Buffer => Buffer.from(text.replaceAll(" was ", " fût "), "latin1");

/** Each kind makes a server's behaviour anew, since some remember what happened. */
export const KINDS = {
  // 2 Patience
  "nginx limit_req": limited(plain(503, "<html>503</html>", HTML)),
  "limiter that closes": limited({ status: "reset" }),
  "limiter with HTML and 200": limited(plain(200, "<html>Slow down</html>", HTML)),
  "limiter with an error beside results": limited(plain(200, { error: "slow down", results: [] })),
  "limiter with success false": limited(plain(200, { success: false, message: "limit" })),
  "limiter with 420": limited(plain(420)),
  "limiter with 402": limited(plain(402)),
  "limiter with 404": limited(plain(404)),
  "limiter with a code beside results": limited(
    plain(200, { code: 429, msg: "too fast", next: null, results: [] }),
  ),
  "every second answer is 502": () => {
    let number = 0;
    return { instead: onList(() => (++number % 2 === 0 ? plain(502, "", HTML) : null)) };
  },
  limit_conn: () => ({ delayMs: 3, instead: ({ inFlight }) => (inFlight > 1 ? plain(503) : null) }),
  "reset at the second request of a connection": () => ({
    instead: ({ onConnection }) => (onConnection > 1 ? { status: "reset" } : null),
  }),
  "a deploy of 20 s with 503": away(20, plain(503)),
  "a deploy of 20 s with a maintenance page": away(
    20,
    plain(200, "<html>Maintenance</html>", HTML),
  ),
  "a deploy of 20 s with 502": away(20, plain(502, "", HTML)),
  "a deploy of 20 s with an empty body": away(20, plain(200, "")),
  "a cold start with 503": () => ({
    instead: onList(({ number }) => (number <= 2 ? plain(503) : null)),
  }),
  "empty lists for 20 s": away(20, plain(200, { next: null, previous: null, results: [] }), {
    afterPage: true,
  }),
  "a firewall's challenge for 20 s": away(20, CHALLENGE),
  "a proxy that answers 407 for 20 s": away(20, plain(407, "", { "proxy-authenticate": "Basic" })),
  "429 with a sentence": windowed(20, 20_000, (waitMs) =>
    plain(429, {
      detail: `Request was throttled. Expected available in ${Math.ceil(waitMs / 1_000)} seconds.`,
    }),
  ),
  "503 with a Retry-After that is over": windowed(8, 8_000, (_, now) =>
    plain(503, "", {
      date: new Date(now).toUTCString(),
      "retry-after": new Date(now - 60_000).toUTCString(),
    }),
  ),
  "503 with Retry-After": limited(plain(503, {}, { "retry-after": "2" })),
  "quota with Retry-After": quota((_, waitMs) => ({
    "retry-after": String(Math.ceil(waitMs / 1_000)),
  })),
  "quota with X-RateLimit": quota((left, waitMs, now) => ({
    "x-ratelimit-remaining": String(left),
    "x-ratelimit-reset": String(Math.ceil((now + waitMs) / 1_000)),
  })),
  "quota with RateLimit": quota((left, waitMs) => ({
    ratelimit: `limit=20, remaining=${left}, reset=${Math.ceil(waitMs / 1_000)}`,
  })),
  // 3 Sizes
  "limit over 50 answers 500": refuses(
    plain(500),
    ({ url }) => Number(url.searchParams.get("limit")) > 50,
  ),
  "limit over 50 answers 422": refuses(
    plain(422),
    ({ url }) => Number(url.searchParams.get("limit")) > 50,
  ),
  "limit over 50 answers 403": refuses(plain(403), ({ url }) => limitIn(url) > 50),
  "limit over 50 answers 404": refuses(plain(404), ({ url }) => limitIn(url) > 50),
  "limit over 10 answers 400": refuses(plain(400), ({ url }) => limitIn(url) > 10),
  "limit over 50 is reset": refuses({ status: "reset" }, ({ url }) => limitIn(url) > 50),
  "pages cut by their bytes": pages((page, { url, offset, limit }, _, service) => {
    let [cut, most] = [page, limit];
    while (JSON.stringify(cut).length > 3_000) cut = service.pageAt(url, offset, --most);
    return cut;
  }),
  "deep pages over 20 answer 504": refuses(
    plain(504),
    ({ offset, limit }) => offset >= 200 && limit > 20,
  ),
  "heavy pages answer 502": weigh(7_000, plain(502, { message: "Internal server error" })),
  "heavy pages are cut short": weigh(7_000, { status: "cut", body: { results: "x".repeat(500) } }),
  "heavy pages are reset": weigh(7_000, { status: "reset" }),
  "heavy pages answer HTML": weigh(7_000, plain(200, "<html>Fatal error</html>", HTML)),
  "heavy pages answer 413": weigh(7_000, plain(413)),
  "limit over 100 answers an empty list": refusesRows(({ url }) => limitIn(url) > 100),
  "limit over 20 answers an empty list": refusesRows(({ url }) => limitIn(url) > 20),
  "heavy pages are empty": () => ({
    page: (page) => (JSON.stringify(page).length > 7_000 ? { ...page, results: [] } : page),
  }),
  "records that answer 500": () => ({
    page: (page) => page,
    wire: (answer, { isList }) => {
      const { results = [] } = (answer.body ?? {}) as { results?: { pk?: number }[] };
      const isBad =
        isList &&
        Array.isArray(results) &&
        results.some((row) => row?.pk !== undefined && row.pk % 150 === 0);
      return isBad ? plain(500, { detail: "A server error occurred." }) : answer;
    },
    hides: (pk) => pk % 150 === 0,
  }),
  // 4 Refusals
  "403 once": once(5, plain(403, "<html>Access denied</html>", HTML)),
  "a firewall's challenge once": once(5, CHALLENGE),
  "204 once": once(4, plain(204, "")),
  "404 once": once(5, plain(404)),
  "304 once": once(4, plain(304, "")),
  "401 once": once(6, plain(401)),
  "405 once": once(4, plain(405)),
  "421 once": once(4, plain(421)),
  "431 once": once(4, plain(431)),
  "a redirect to nowhere, once": once(5, plain(301, "")),
  "a redirect to a log-in page, once": once(5, plain(302, "", { location: "/login/" })),
  "a redirect of every path": () => ({
    instead: ({ url: { pathname, search } }) =>
      pathname.startsWith("/v2") ? null : plain(301, "", { location: `/v2${pathname}${search}` }),
  }),
  "502 for some offsets": refuses(
    plain(502),
    ({ isPlain, offset }) => isPlain && offset >= 150 && offset < 200,
  ),
  "402 beyond 300 rows": beyond(300, plain(402, { detail: "Your plan allows 300 rows." })),
  "403 beyond 300 rows": beyond(300, plain(403)),
  "404 beyond 300 rows": beyond(300, plain(404)),
  "400 beyond 300 rows, and filters with one page": () => ({
    ...beyond(300, plain(400))(),
    page: (page, { isPlain, offset }) => {
      const results = offset > 0 ? [] : page.results;
      return isPlain ? page : { ...page, results, next: null };
    },
  }),
  "empty pages beyond 300 rows": () => ({
    page: (page, { offset }) => (offset >= 300 ? { ...page, next: null, results: [] } : page),
  }),
  "500 beyond 300 rows": beyond(300, plain(500, "<h1>Server Error</h1>", HTML)),
  "HTML beyond 300 rows": beyond(300, plain(200, "<html>Upgrade your plan</html>", HTML)),
  "a log-in page beyond 300 rows": beyond(300, plain(302, "", { location: "/login/" })),
  "resets beyond 300 rows": beyond(300, { status: "reset" }),
  "429 for some offsets": refuses(
    plain(429, { errno: 429 }),
    ({ isPlain, offset }) => isPlain && offset >= 150 && offset < 200,
  ),
  // 5 Slices
  "offset rounded down": offsets((offset, limit) => offset - (offset % limit)),
  "offset clamped": offsets((offset, limit, rows) => Math.min(offset, Math.max(0, rows - limit))),
  "offset modulo the length": offsets((offset, _, rows) => (rows === 0 ? 0 : offset % rows)),
  "the last page past the end": offsets((offset, limit, rows) =>
    offset >= rows && offset > 0 ? Math.max(0, rows - limit) : offset,
  ),
  "a next on every page": pages((page, { url, offset, limit }) => {
    const next = new URL(url);
    next.searchParams.set("limit", String(limit));
    next.searchParams.set("offset", String(offset + limit));
    return { ...page, next: next.href };
  }),
  "no next on any page": sent(({ results }) => ({ results })),
  "no next, and 500 past the end": failsPast(plain(500)),
  "no next, and HTML past the end": failsPast(plain(200, "<html>No more quotes</html>", HTML)),
  "no next, and an error past the end": failsPast(plain(200, { success: false, message: "none" })),
  "no next, and [] past the end": failsPast(plain(200, [])),
  "no next, and a redirect past the end": failsPast(plain(302, "", { location: "/" })),
  "a bare array": sent(({ results }) => results),
  "a bare array of everything": () => ({
    page: (_, { url }, service) => service.pageAt(url, 0, Infinity),
    ...sent(({ results }) => results)(),
  }),
  "400 for a page that would reach past the end": () => ({
    instead: onList(({ url, offset, limit }, service) => {
      const rows = service.pageAt(url, 0, Infinity).results.length;
      return offset > 0 && offset + limit > rows ? plain(400, { detail: "out of range" }) : null;
    }),
  }),
  "400 for an offset within a page": refuses(
    plain(400, { detail: "offset must be a multiple of limit" }),
    ({ url, offset }) => offset % limitIn(url) !== 0,
  ),
  "no next on the last page": sent(({ next, ...page }) =>
    next === null ? page : { next, ...page },
  ),
  "hasMore in the place of next": sent(({ next, results }) => ({
    results,
    hasMore: next !== null,
  })),
  "a next of {} on the last page": pages((page) => ({ ...page, next: page.next ?? {} })),
  "a cursor in the place of an offset": () => ({
    begin: () => 0,
    page: (page, { url }) => ({ ...page, next: page.next && `${url.pathname}?cursor=cD0yMDI` }),
  }),
  "numbers of pages in the place of an offset": () => ({
    begin: () => 0,
    page: (page, { url }) => ({ ...page, next: page.next && `${url.pathname}?page=2` }),
  }),
  "a join in two parts": joined((row) => row),
  "a join with translations": joined((row) => ({ ...row, language: "fr" })),
  "a count of text": pages((page, _, rows) => ({ ...page, count: String(rows) })),
  "a count that is too high": pages((page, _, rows) => ({ ...page, count: rows + 7 })),
  "most liked first": () => ({ order: byLikes }),
  "no order": () => ({ order: (one, other) => mixed(one.pk) - mixed(other.pk) }),
  // 6 Bytes
  "text/plain": wire((text) => ({ body: text, headers: typed("text/plain") })),
  "a byte order mark": wire((text) => ({ body: `\uFEFF${text}` })),
  "Latin-1 that says so": wire((text) => ({
    body: accented(text),
    headers: typed("application/json; charset=iso-8859-1"),
  })),
  "Latin-1 that nothing names": wire((text) => ({ body: accented(text) })),
  NaN: wire((text) => ({ body: text.replaceAll(/"likes":(\d*7),/g, '"likes":NaN,') })),
  "raw control characters": wire((text) => ({
    body: text.replaceAll(" once said ", " once\tsaid\n"),
  })),
  "gzip that is not named": wire((text) => ({ body: gzipSync(text) })),
  zstd: wire((text) => ({
    body: zstdCompressSync(text),
    headers: { ...typed("application/json"), "content-encoding": "zstd" },
  })),
  "raw deflate": wire((text) => ({
    body: deflateRawSync(text),
    headers: { ...typed("application/json"), "content-encoding": "deflate" },
  })),
  "gzip twice, named once": wire((text) => ({
    body: gzipSync(gzipSync(text)),
    headers: { ...typed("application/json"), "content-encoding": "gzip" },
  })),
  "a note of a cache after the JSON": wire((text) => ({
    body: `${text}\n<!-- cached, 0.02 s -->`,
  })),
  "a warning before the JSON": wire((text) => ({
    body: `<br />\n<b>Notice</b>: Undefined index in /var/www/api.php<br />\n${text}`,
  })),
  "a comma too many": wire((text) => ({ body: text.replace(/\]\}$/, ",]}") })),
  "206 for everything": () => ({
    wire: (answer) => (answer.status === 200 ? { ...answer, status: 206 } : answer),
  }),
  "UTF-16": wire((text) => ({ body: Buffer.from(`\uFEFF${text}`, "utf16le") })),
  "gzip that is called br": wire((text) => ({
    body: gzipSync(text),
    headers: { ...typed("application/json"), "content-encoding": "br" },
  })),
  "every seventh answer is 404": everyNth(7, () => plain(404, "<h1>Not Found</h1>", HTML)),
  "every sixth answer is 500": everyNth(6, () => plain(500, "<h1>Server Error</h1>", HTML)),
  "every fifth body ends early": everyNth(5, ({ body }) => ({ status: "cut", body })),
  "HTTP/1.0 without a length": headed(() => "HTTP/1.0 200 OK\r\n\r\n"),
  "bare line feeds in the headers": headed(
    ({ length }) => `HTTP/1.1 200 OK\nContent-Length: ${length}\n\n`,
  ),
  "a length beside chunks": wire(() => ({
    send: (bytes, response) => {
      const head = `HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\nTransfer-Encoding: chunked\r\n\r\n`;
      response.req.socket.end(
        `${head}${bytes.length.toString(16)}\r\n${bytes.toString()}\r\n0\r\n\r\n`,
      );
    },
  })),
  "20 kB of headers": wire(() => ({ headers: { "x-trace": "x".repeat(20_000) } })),
  "a chunk that is missing at the end": wire(() => ({
    send: (bytes, response) => {
      const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
      response.req.socket.end(`${head}${bytes.length.toString(16)}\r\n${bytes.toString()}\r\n`);
    },
  })),
  "a length that is too high": wire(() => ({
    send: (bytes, response) => {
      const head = `HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length + 1}\r\n\r\n`;
      response.req.socket.end(head + bytes.toString());
    },
  })),
  "gzip without its last bytes": wire((text) => ({
    body: gzipSync(text).subarray(0, -8),
    headers: { ...typed("application/json"), "content-encoding": "gzip" },
  })),
  "JSON in a string of JSON": wire((text) => ({ body: JSON.stringify(text) })),
  "results as an object with numbers": sent((page) => ({ ...page, results: { ...page.results } })),
  "results of null where there are none": sent((page) => ({
    ...page,
    results: page.results.length === 0 ? null : page.results,
  })),
  "quotes in a list of another name": sent(({ next, results }) => ({
    response: { payload: results, next },
  })),
  "next.href, as HAL has it": pages((page) => ({ ...page, next: { href: page.next } })),
  "content, as Spring has it": sent(({ next, results }) => ({
    content: results,
    last: next === null,
  })),
  "links.next": pages(({ next, previous, results }) => ({ links: { next, previous }, results })),
  // 7 Fields and rows
  "likes as text": each(20, (row) => ({ ...row, likes: String(row.likes) })),
  "keys and likes as text": rows((row) => ({
    ...row,
    pk: String(row.pk),
    likes: String(row.likes),
  })),
  "nested author and tags": rows((row) => ({
    ...row,
    author: row.author === null ? null : { id: 1, name: row.author },
    tags: row.tags.map((name) => ({ name })),
  })),
  "null for deleted rows": () => ({ ...each(40, () => null)(), hides: (pk) => pk % 40 === 0 }),
  "empty objects for deleted rows": () => ({
    ...each(30, () => ({}))(),
    hides: (pk) => pk % 30 === 0,
  }),
  "a pinned quote on each page": pages((page, _asked, _rows, { quotes }) => ({
    ...page,
    results: page.results.length === 0 ? [] : [quotes[77] ?? quotes[0], ...page.results],
  })),
  "an advertisement on each page": pages((page) => ({
    ...page,
    results: page.results.length === 0 ? [] : [...page.results, { type: "ad", html: "<b>Buy</b>" }],
  })),
  // 8 Contents
  "authors all alike, once": falsely((row) => ({ ...row, author: "Admin" })),
  "likes all 0, once": falsely((row) => ({ ...row, likes: 0 })),
  "texts of the next row, once": falsely((row, at, all) => ({
    ...row,
    quote: (all[(at + 1) % all.length] ?? row).quote,
  })),
  "no tags, once": falsely((row) => ({ ...row, tags: [] })),
  "languages all alike, once": falsely((row) => ({ ...row, language: "en" })),
  "another page, once": () => ({
    page: (page, { number, isPlain, url, limit }, service) =>
      number === 3 && isPlain ? service.pageAt(url, 0, limit) : page,
  }),
  "Loading…, once": falsely((row) => ({ ...row, quote: "Loading…" })),
} as const satisfies Readonly<Record<string, Make>>;

export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as KindName[];
